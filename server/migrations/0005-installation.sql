-- Who we are: written into the storage, too, so that nobody sweeps the files of another installation.
create table installation (
  id text primary key default 'ins_' || replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''),
  -- when our name was first written into the storage
  storage_claimed_at timestamptz,
  only_one boolean not null default true unique check (only_one)
);
insert into installation default values;
