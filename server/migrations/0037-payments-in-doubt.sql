-- Refunds that failed and disputes that expired, until a person has looked at them; as 0010 for second payments.
create index webhook_events_in_doubt on webhook_events (purchase_id) where outcome = 'in_doubt';
