-- Every shop is paid: its office sees how on the smallest plan, too.
-- +goose Up
UPDATE plan SET modules = array_append(modules, 'payment') WHERE id = '019380a0-0000-7000-8000-000000000001' AND 'payment' <> ALL (modules);
