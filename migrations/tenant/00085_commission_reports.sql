-- Reports of agents read sales, commissions and their changes by time, of everybody or of one agent.
-- +goose Up

CREATE INDEX commission_created_i ON commission (created_at, id);
CREATE INDEX commission_agent_created_i ON commission (agent_id, created_at, id);
CREATE INDEX commission_change_at_i ON commission_change (at, id);
CREATE INDEX commission_change_payee_at_i ON commission_change (payee_id, at, id);
CREATE INDEX orders_agent_paid_i ON orders (paid_at, id) WHERE agent_id IS NOT NULL AND paid_at IS NOT NULL;
CREATE INDEX orders_agent_id_paid_i ON orders (agent_id, paid_at, id) WHERE agent_id IS NOT NULL AND paid_at IS NOT NULL;
