-- What processes remember and another may change. The number is raised under its row's lock, so that changes have the order of their
-- commits and none is missing; the id tells two changes of one number apart, where a database has lost its last commits.
-- +goose Up
CREATE TABLE change_number (
  id     smallint PRIMARY KEY CONSTRAINT change_number_one CHECK (id = 1),
  number bigint NOT NULL
);
INSERT INTO change_number (id, number) VALUES (1, 0);

CREATE TABLE change (
  number bigint PRIMARY KEY,
  id     uuid NOT NULL,
  topic  text NOT NULL,
  what   text NOT NULL
);
INSERT INTO change (number, id, topic, what) VALUES (0, '00000000-0000-0000-0000-000000000000', '', '');

GRANT SELECT, UPDATE ON change_number TO wlv_platform;
GRANT SELECT, INSERT, DELETE ON change TO wlv_platform;
