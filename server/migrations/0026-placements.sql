-- Where the product stands in a scene, as the built-in engine tells it.
alter table generations add column placement jsonb;
