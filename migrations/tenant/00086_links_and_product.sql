-- What an organisation calls what it sells, and how often each link of an agent was opened on a day.
-- +goose Up

-- slug stands in addresses and names of files. One row, or none while nobody has changed it.
CREATE TABLE product_word (
  one        boolean PRIMARY KEY DEFAULT true CONSTRAINT product_word_one CHECK (one),
  slug       text NOT NULL CONSTRAINT product_word_slug CHECK (slug ~ '^[a-z]{2,20}$' AND slug <> 'pay'),
  word_th    text NOT NULL CONSTRAINT product_word_th CHECK (length(word_th) BETWEEN 1 AND 20),
  word_en    text NOT NULL CONSTRAINT product_word_en CHECK (length(word_en) BETWEEN 1 AND 20),
  updated_at timestamptz NOT NULL
);

-- day: in Bangkok. openers: how many customers opened it, each once.
CREATE TABLE link_day (
  link_id  uuid NOT NULL CONSTRAINT link_day_link REFERENCES sale_link (id),
  day      date NOT NULL,
  opens    bigint NOT NULL CONSTRAINT link_day_opens CHECK (opens > 0),
  openers  bigint NOT NULL CONSTRAINT link_day_openers CHECK (openers BETWEEN 1 AND opens),
  PRIMARY KEY (link_id, day)
);
CREATE INDEX link_day_day_i ON link_day (day, link_id);

-- Who has opened it on that day, so that he is counted once.
CREATE TABLE link_opener (
  link_id     uuid NOT NULL CONSTRAINT link_opener_link REFERENCES sale_link (id),
  day         date NOT NULL,
  customer_id uuid NOT NULL CONSTRAINT link_opener_customer REFERENCES customer (id),
  PRIMARY KEY (link_id, day, customer_id)
);
CREATE INDEX link_opener_customer_i ON link_opener (customer_id, day);
CREATE INDEX orders_link_paid_i ON orders (link_id, paid_at) WHERE link_id IS NOT NULL;

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT, UPDATE ON product_word TO %I', current_schema());
  EXECUTE format('GRANT SELECT, INSERT ON link_day TO %I', current_schema());
  EXECUTE format('GRANT UPDATE (opens, openers) ON link_day TO %I', current_schema());
  EXECUTE format('GRANT SELECT, INSERT, DELETE ON link_opener TO %I', current_schema());
END $$;
-- +goose StatementEnd
