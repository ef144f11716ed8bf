-- Free second tries (redos) and returned results.

alter table generations
  -- the first generation, whose uploads a redo uses
  add column redo_of text references generations (id),
  -- 0 for a first generation, then 1, 2, ...; part of the seed
  add column redo_number integer not null default 0,
  -- its credits were given back; its result is gone
  add column returned_at timestamptz,
  -- what the engine drew of the words, and what not; null where nobody said
  add column understood text[],
  add column not_drawn text[],
  drop constraint generations_cost_check,
  add constraint generations_cost check (case when redo_of is null then cost > 0 else cost = 0 end),
  add constraint generations_redo_number check ((redo_of is null) = (redo_number = 0)),
  add constraint generations_returned check (returned_at is null or status = 'succeeded');
create unique index generations_redos on generations (redo_of, redo_number) where redo_of is not null;
create index generations_returned on generations (user_id, returned_at) where returned_at is not null;

-- A result was not usable, and why: counted, nothing else is kept.
create table return_counts (
  tool text not null,
  reason text not null check (reason in ('edges', 'scene', 'person', 'motion', 'other')),
  count integer not null default 0,
  primary key (tool, reason)
);

-- The scenes that the built-in engine of a worker can make, as that worker told; web processes show them.
create table scenes (
  id text primary key,
  position integer not null,
  words text not null,
  picture bytea not null
);
