-- A login at LINE may do more than open a session: take an invitation, or link LINE to an admin who is signed in.
-- Rights are read with each call, so no version of them is kept.
-- +goose Up
ALTER TABLE login ADD COLUMN invitation bytea;
ALTER TABLE login ADD COLUMN subject_id uuid;
ALTER TABLE session DROP COLUMN role_version;
ALTER TABLE admin DROP COLUMN role_version;
