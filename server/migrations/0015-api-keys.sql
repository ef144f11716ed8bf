-- What a program signs in with in the place of a person. The secret is shown once; the table knows its hash.
create table api_keys (
  id text primary key,
  secret_hash bytea not null unique,
  user_id text not null references users (id),
  name text not null,
  -- the first characters of the secret, so that its owner tells one key from another
  prefix text not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index api_keys_user on api_keys (user_id, created_at desc, id desc);

-- A deleted key stays deleted when an older backup is restored, and so does an endpoint of webhooks.
alter table deletions drop constraint deletions_kind_check,
  add constraint deletions_kind_check check (kind in ('account', 'media', 'return', 'key', 'endpoint'));
