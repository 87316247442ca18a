-- That sessions have ended is a change, and no job any more: nothing handles these rows.
-- +goose Up
DELETE FROM outbox WHERE kind = 'session.ended';
