-- Accounts of organisations that another person of the organisation has approved, and that wait for the platform. What each is stands in its organisation.
-- +goose Up
CREATE TABLE account_request (
  version_id  uuid PRIMARY KEY,
  org_id      uuid NOT NULL CONSTRAINT account_request_org REFERENCES organisation (id),
  seconded_at timestamptz NOT NULL
);
CREATE INDEX account_request_org_i ON account_request (org_id);

GRANT SELECT, INSERT, DELETE ON account_request TO wlv_platform;
