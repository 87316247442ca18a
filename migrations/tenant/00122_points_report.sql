-- +goose NO TRANSACTION
-- The transfers of points, which their report walks by day, made beside the shop's work. An index that a broken run left invalid is dropped first.
-- +goose Up
DROP INDEX IF EXISTS transfer_points;
CREATE INDEX CONCURRENTLY transfer_points ON transfer (day, id) WHERE kind IN ('points_granted', 'points_taken_back', 'points_lapsed');
