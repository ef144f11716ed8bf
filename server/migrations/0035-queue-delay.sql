-- Items of a catalogue wait for each other, so their age alone says nothing about the queue.
create or replace view queued_generations as select id, status, created_at, turn, started_at from generations;
