-- What is needed to show that a file is gone: the digest of its bytes, taken when they were stored, and why they went.
-- Both stay with the row. A row from before has no digest or no cause, and so no receipt.
alter table uploads
  add column sha256 text,
  add column deletion_cause text check (deletion_cause in ('expired', 'by you'));
alter table generated_media
  add column deletion_cause text check (deletion_cause in ('expired', 'by you'));
create index uploads_receipts on uploads (user_id, deleted_at desc, id desc) where deletion_cause is not null;
create index generated_media_receipts on generated_media (user_id, deleted_at desc, id desc)
  where deletion_cause is not null;
