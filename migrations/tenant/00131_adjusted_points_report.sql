-- +goose NO TRANSACTION
-- The transfers of points with those of adjustments, which their report walks by day, made beside the shop's work. An index that a broken run left invalid is dropped first.
-- +goose Up
DROP INDEX IF EXISTS transfer_point_moves;
CREATE INDEX CONCURRENTLY transfer_point_moves ON transfer (day, id) WHERE kind IN ('points_granted', 'points_taken_back', 'points_lapsed', 'points_adjusted');
DROP INDEX IF EXISTS transfer_points;
