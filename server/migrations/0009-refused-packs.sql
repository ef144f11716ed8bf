-- Which packs make no file of this result, and why: {"amazon-main": "picture_too_small"}. Null where nobody asked: only
-- results of catalogues with packs are looked at.
alter table generated_media add column refused_packs jsonb;
