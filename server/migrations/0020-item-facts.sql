-- What a person knows of an item, and how a catalogue is to look: copied, so that later changes of a look change nothing.
alter table runs add column look jsonb;
alter table run_items
  add column height_cm double precision,
  add column asin text,
  add column ean text,
  add column role text,
  add column handle text;
-- As the person's file was called; it goes with the picture.
alter table uploads add column filename text;
