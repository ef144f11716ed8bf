-- What packs are made of in a picture, in pixels: which files there are depends on a catalogue's look and on its other
-- items, so the answer itself is not kept.
alter table generated_media drop column refused_packs, add column pack_subject jsonb;
