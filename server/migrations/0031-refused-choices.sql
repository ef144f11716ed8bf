-- What a hosted model refused of a tool's choices: not offered again for a day.
create table refused_choices (
  tool text not null,
  -- The public id of the model.
  system text not null,
  field text not null,
  value text not null,
  refused_at timestamptz not null,
  primary key (tool, system, field, value)
);
