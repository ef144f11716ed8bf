-- What people took away before its time, so that a restored backup does not bring it back. The sweep writes it into the
-- storage, too, where it outlives the database.
create table deletions (
  kind text not null check (kind in ('account', 'media', 'return')),
  -- of the user, the media item, or the returned generation
  subject text not null,
  deleted_at timestamptz not null,
  -- whether the storage has it
  is_written boolean not null default false,
  primary key (kind, subject)
);
create index deletions_unwritten on deletions (deleted_at) where not is_written;
create index deletions_day on deletions (((deleted_at at time zone 'utc')::date));
