-- Messages to the servers of our customers.

create table webhook_endpoints (
  id text primary key,
  user_id text not null references users (id),
  url text not null,
  events text[] not null,
  -- signs every message, so it is kept as it is
  secret text not null,
  created_at timestamptz not null
);
create index webhook_endpoints_user on webhook_endpoints (user_id, created_at desc, id desc);

create table webhook_deliveries (
  id text primary key,
  endpoint_id text not null references webhook_endpoints (id) on delete cascade,
  event text not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0,
  -- the same in every try; forgotten when it has ended
  body text,
  next_try_at timestamptz,
  -- until then a worker is at it
  leased_until timestamptz,
  created_at timestamptz not null,
  ended_at timestamptz,
  check (case when status = 'pending' then body is not null and next_try_at is not null and ended_at is null
    else body is null and next_try_at is null and leased_until is null and ended_at is not null end)
);
create index webhook_deliveries_endpoint on webhook_deliveries (endpoint_id, created_at desc, id desc);
create index webhook_deliveries_due on webhook_deliveries (next_try_at) where status = 'pending';
create index webhook_deliveries_ended on webhook_deliveries (ended_at) where ended_at is not null;

-- Whether the end of a run was told to its owner's endpoints. Those that are over by now are no news.
alter table runs add column is_end_told boolean not null default false;
update runs r set is_end_told = true
  where (closed_at is not null or canceled_at is not null) and not exists (
    select from run_items n join generations g on g.id = n.generation_id
    where n.run_id = r.id and g.status in ('queued', 'running'));

-- Another try of an item opens its run again, and so it will come to another end.
create or replace function note_run_news() returns trigger language plpgsql as $$
begin
  update runs set is_news = true, is_end_told = is_end_told and tg_op = 'UPDATE' where id = new.run_id;
  return null;
end $$;
