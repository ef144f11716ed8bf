-- Each sweep asks which refused purchases of the day may still be paid: without it, it reads every purchase there was.
create index purchases_unpaid on purchases (created_at) where status in ('failed', 'canceled') and paid_cents is null;
