-- Runs: many photos through one tool. An item is an ordinary generation, with its own debit and its own end.

create table runs (
  id text primary key,
  user_id text not null references users (id),
  name text not null,
  tool text not null,
  -- texts for every item; forgotten with the pictures
  fields jsonb not null,
  packs text[] not null,
  created_at timestamptz not null,
  -- takes no more items
  closed_at timestamptz,
  canceled_at timestamptz,
  -- when its owner's streams were last told of it, and whether something has happened since
  announced_at timestamptz,
  is_news boolean not null default true
);
create index runs_user on runs (user_id, created_at desc, id desc);
create index runs_news on runs (announced_at) where is_news;

create table run_items (
  id text primary key,
  run_id text not null references runs (id) on delete cascade,
  sku text,
  -- as the person's file was called; forgotten with the pictures
  filename text,
  -- the newest try
  generation_id text not null unique references generations (id),
  created_at timestamptz not null
);
create index run_items_run on run_items (run_id, created_at desc, id desc);
create unique index run_items_sku on run_items (run_id, sku) where sku is not null;

alter table generations
  -- the run that it is, or was, a try of
  add column run_id text references runs (id) on delete set null,
  -- place among the items that wait: users with runs take turns
  add column turn integer;
create index generations_run on generations (run_id) where run_id is not null;
create index generations_turn on generations (turn) where turn is not null and status = 'queued';

-- Whatever happens to an item is news of its run. Noted at the end of the transaction: whoever locks a run has locked
-- generation, credits and user before.
create function note_run_news() returns trigger language plpgsql as $$
begin
  update runs set is_news = true where id = new.run_id;
  return null;
end $$;
create constraint trigger generations_run_news after insert or update of status on generations
  deferrable initially deferred
  for each row when (new.run_id is not null) execute function note_run_news();
