-- When a worker last found its engine up, so that a process without an engine can tell it, too.
alter table housekeeping add engine_up_at timestamptz;
