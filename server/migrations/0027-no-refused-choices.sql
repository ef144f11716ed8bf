-- What a model refuses is refunded; it is offered again.
drop table refused_choices;
