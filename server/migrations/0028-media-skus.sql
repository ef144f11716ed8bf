-- A catalogue's result is saved under its article number (0021).
create view media_skus as select generation_id, sku from run_items where sku is not null;
