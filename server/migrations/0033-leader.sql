-- Which of all processes tells what is true of the whole installation, and how long it may without asking again.
create table leader (
  process text,
  leads_until timestamptz not null default '-infinity',
  only_one boolean not null default true unique check (only_one)
);
insert into leader default values;
