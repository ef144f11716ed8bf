-- What the operator's gauges say, counted as it happens: reading them walks no table that grows for ever.

-- One row per change, so that nobody waits for anybody; housekeeping adds them up. The total is the sum per name.
create table running_totals (
  name text not null,
  number bigint not null,
  amount bigint not null
);

create function count_ledger_entry() returns trigger language plpgsql as $$
begin
  insert into running_totals values ('ledger', 1, new.delta);
  return null;
end $$;
create trigger credit_ledger_total after insert on credit_ledger for each row execute function count_ledger_entry();

create function count_balance() returns trigger language plpgsql as $$
begin
  insert into running_totals values ('balances', 0, new.credits - old.credits);
  return null;
end $$;
create trigger user_credits_total after update on user_credits
  for each row when (new.credits <> old.credits) execute function count_balance();

create function count_generation() returns trigger language plpgsql as $$
begin
  insert into running_totals values (new.status, 1, 0);
  if tg_op = 'UPDATE' then insert into running_totals values (old.status, -1, 0); end if;
  return null;
end $$;
create trigger generations_insert_total after insert on generations for each row execute function count_generation();
create trigger generations_update_total after update of status on generations
  for each row when (new.status <> old.status) execute function count_generation();

-- Files that are kept, by kind.
create function count_kept() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then insert into running_totals values (tg_argv[0], 1, new.bytes);
  else insert into running_totals values (tg_argv[0], -1, -old.bytes);
  end if;
  return null;
end $$;
create trigger uploads_insert_total after insert on uploads for each row execute function count_kept('upload');
create trigger uploads_update_total after update of deleted_at on uploads
  for each row when (old.deleted_at is null and new.deleted_at is not null) execute function count_kept('upload');
create trigger generated_media_insert_total after insert on generated_media
  for each row execute function count_kept('result');
create trigger generated_media_update_total after update of deleted_at on generated_media
  for each row when (old.deleted_at is null and new.deleted_at is not null) execute function count_kept('result');

-- The triggers have locked the tables until the commit: nobody writes between counting and being counted.
insert into running_totals
  select 'ledger', count(*), coalesce(sum(delta), 0) from credit_ledger
  union all select 'balances', 0, coalesce(sum(credits), 0) from user_credits
  union all select status, count(*), 0 from generations group by status
  union all select 'upload', count(*), coalesce(sum(bytes), 0) from uploads where deleted_at is null
  union all select 'result', count(*), coalesce(sum(bytes), 0) from generated_media where deleted_at is null;

-- What the workers' sweeps found, for whoever answers the operator's questions.
create table housekeeping (
  -- end of the last sweep that kept the promise of deletion
  swept_at timestamptz,
  -- files without a row
  orphans integer not null default 0,
  -- the walk through the ledger: the last account it has looked at, and what it found since it began
  walked_to text not null default '',
  found integer not null default 0,
  -- broken rules of the last whole walk, or of this one where those are more
  violations integer not null default 0,
  walked_at timestamptz,
  only_one boolean not null default true unique check (only_one)
);
insert into housekeeping default values;
