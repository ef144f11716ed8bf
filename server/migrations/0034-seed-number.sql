-- A redo that only moves the product or changes its marks keeps the seed, and with it the scene, of what it redoes.
alter table generations add column seed_number integer not null default 0;
update generations set seed_number = redo_number where redo_number > 0;
