-- Several live events of one person, in this order, for the price of little more than one: their numbers are taken at
-- once, and who listens is told once.
create function append_user_events(user_id_input text, names_input text[], bodies_input jsonb[]) returns bigint
language plpgsql as $$
declare
  next_seq bigint;
begin
  update users set event_seq = event_seq + cardinality(names_input) where id = user_id_input
    returning event_seq into next_seq;
  insert into user_events (user_id, seq, name, body)
    select user_id_input, next_seq - cardinality(names_input) + place, name, body
    from unnest(names_input, bodies_input) with ordinality as news (name, body, place);
  perform pg_notify('plinth_events', user_id_input);
  return next_seq;
end $$;
