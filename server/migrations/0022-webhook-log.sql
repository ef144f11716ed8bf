-- What was sent can be read and sent again, for as long as descriptions are kept (48 hours).
alter table webhook_deliveries drop constraint webhook_deliveries_check;
alter table webhook_deliveries add constraint webhook_deliveries_check
  check (case when status = 'pending' then body is not null and next_try_at is not null and ended_at is null
    else next_try_at is null and leased_until is null and ended_at is not null end);
