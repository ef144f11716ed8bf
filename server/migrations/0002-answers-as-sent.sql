-- A repeated request gets its first answer again to the letter; jsonb forgets the order of the names.
alter table idempotency_keys alter column body type json using body::json;
