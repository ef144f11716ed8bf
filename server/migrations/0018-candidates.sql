-- Of a picture that was refused because no one product could be told: left, top, right, bottom of what it may be, in
-- shares; empty where nothing was found.
alter table generations add column candidate_box double precision[];
