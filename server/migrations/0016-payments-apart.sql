-- What is told of a payment belongs to that payment: an order may have been paid twice.
alter table webhook_events add column payment_id text;
-- Empty where the company named the order only: then it is about the payment that brought the credits.
alter table purchase_reversals add column payment_id text not null default '';
alter table purchase_reversals drop constraint purchase_reversals_pkey;
alter table purchase_reversals add primary key (purchase_id, payment_id, reversal_id);
