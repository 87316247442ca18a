-- The audit log is read from the newest row, and by its days.
-- +goose Up
CREATE INDEX audit_log_at ON audit_log (at);
