-- Second payments of one order, until their money is given back: the gauge of payments to look at asks at each scrape.
create index webhook_events_paid_twice on webhook_events (purchase_id) where outcome = 'paid_twice';
