-- How a product stands on its canvas, by the name that its owner gave it.
create table looks (
  id text primary key,
  user_id text not null references users (id),
  name text not null,
  settings jsonb not null,
  created_at timestamptz not null
);
create index looks_owner on looks (user_id, created_at desc, id desc);
