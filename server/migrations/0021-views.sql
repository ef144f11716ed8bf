-- What a room lets those read of its tables that the table of arrows keeps away from them (eslint.config.js): each view
-- belongs to the room that reads it, its columns to the owner of the table.
create view ledger_generations as select id, user_id, tool, cost, status, returned_at from generations;
create view ledger_purchases as select id, user_id, package, status from purchases;
create view media_sources as select id, tool, input, redo_of, status from generations;
create view queued_generations as select id, status, created_at from generations;
create view items_with_packs as
  select n.generation_id from run_items n join runs r on r.id = n.run_id where r.packs <> '{}';
create view people as select id as user_id, event_seq, deleted_at from users;
create view buyers as select id, email, deleted_at from users;
