-- The engine's scenes are read from its files.
drop table scenes;
