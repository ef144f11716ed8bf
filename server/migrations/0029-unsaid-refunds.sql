-- 0: a part, and nobody says how much; a person has to look.
alter table purchase_reversals drop constraint purchase_reversals_cents_check;
alter table purchase_reversals add check (cents >= 0);
