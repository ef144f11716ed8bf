-- What a person wants to read on receipts; each receipt keeps it as it was when it was made.
create table billing_details (
  user_id text primary key references users (id),
  company text,
  vat_id text,
  address text
);
-- Null where nothing was known.
alter table receipts add column billing jsonb;
