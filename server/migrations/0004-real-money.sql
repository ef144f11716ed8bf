-- Real money: what the payment company says of a payment, what it took back, and a receipt for each.

alter table purchases
  -- what the company says was paid, tax included, and the tax in it; null until then
  add column paid_cents integer,
  add column paid_currency text,
  add column tax_cents integer,
  -- the company's own receipt, where it gives one
  add column company_receipt_url text,
  -- why a person has to look at it
  add column review_reason text,
  -- when the company was last asked what became of it
  add column asked_at timestamptz;
create index purchases_payment on purchases (processor, payment_id) where payment_id is not null;
create index purchases_pending on purchases (created_at) where status = 'pending';
create index purchases_review on purchases (created_at) where status = 'review';

-- Money that the company took back, perhaps before we heard that it had come.
create table purchase_reversals (
  purchase_id text not null references purchases (id),
  -- the company's name of the refund or dispute; refunds that it tells as a growing sum share one name
  reversal_id text not null,
  -- null: all of it
  cents integer check (cents > 0),
  primary key (purchase_id, reversal_id)
);
insert into purchase_reversals (purchase_id, reversal_id) select id, 'refund' from purchases where taken_back;
alter table purchases drop column taken_back;
update purchases set paid_cents = price_cents, paid_currency = currency, tax_cents = 0 where status = 'paid';

-- Receipt numbers have no gaps: a number is taken in the transaction that makes the purchase paid.
create table receipt_series (
  series text primary key,
  last integer not null default 0
);
create table receipts (
  purchase_id text primary key references purchases (id),
  number text not null unique,
  issued_at timestamptz not null,
  -- as they were on that day
  seller jsonb not null,
  buyer_email text not null
);
create function refuse_receipt_change() returns trigger language plpgsql as $$
begin
  raise exception 'receipts are append-only' using errcode = 'restrict_violation';
end $$;
create trigger receipts_append_only before update or delete on receipts
  for each row execute function refuse_receipt_change();

-- Until now only the sandbox sold.
insert into receipts (purchase_id, number, issued_at, seller, buyer_email)
select p.id, 'TEST-' || lpad((row_number() over (order by p.completed_at, p.id))::text, 6, '0'), p.completed_at,
  '{"name": null, "address": null, "taxId": null, "email": null}', u.email
from purchases p join users u on u.id = p.user_id where p.status = 'paid';
insert into receipt_series (series, last) values ('R', 0), ('TEST', (select count(*) from receipts));
