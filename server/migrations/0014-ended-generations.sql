-- What ended in a span of time: the public figures ask for the last day and the last 30.
create index generations_finished on generations (finished_at) where finished_at is not null;
