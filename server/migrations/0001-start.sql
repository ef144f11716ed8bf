-- Accounts ------------------------------------------------------------------------------------------------------------

create table users (
  id text primary key,
  email text not null,
  password_hash text,
  -- true once an identity provider vouched for the address
  email_verified boolean not null default false,
  -- number of the user's newest live event
  event_seq bigint not null default 0,
  created_at timestamptz not null default now(),
  deleted_at timestamptz
);
create unique index users_email on users (lower(email)) where deleted_at is null;

create table identities (
  issuer text not null,
  subject text not null,
  user_id text not null references users (id),
  created_at timestamptz not null default now(),
  primary key (issuer, subject)
);
create index identities_user on identities (user_id);

create table sessions (
  id text primary key,
  token_hash bytea not null unique,
  user_id text not null references users (id),
  user_agent text not null,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz
);
create index sessions_user on sessions (user_id) where ended_at is null;

-- One row per sign-in at the identity provider that has not come back yet; taken away by its use.
create table sign_in_states (
  state_hash bytea primary key,
  nonce text not null,
  code_verifier text not null,
  redirect_uri text not null,
  created_at timestamptz not null
);

-- Live events ---------------------------------------------------------------------------------------------------------

create table user_events (
  user_id text not null references users (id),
  seq bigint not null,
  name text not null,
  body jsonb not null,
  created_at timestamptz not null default now(),
  primary key (user_id, seq)
);
create index user_events_age on user_events (created_at);

-- The row lock on the user makes numbers grow in the order of commits: generations, purchases and balances are locked
-- before it.
create function append_user_event(user_id_input text, name_input text, body_input jsonb) returns bigint
language plpgsql as $$
declare
  next_seq bigint;
begin
  update users set event_seq = event_seq + 1 where id = user_id_input returning event_seq into next_seq;
  insert into user_events (user_id, seq, name, body) values (user_id_input, next_seq, name_input, body_input);
  perform pg_notify('plinth_events', user_id_input);
  return next_seq;
end $$;

-- Purchases -----------------------------------------------------------------------------------------------------------

create table purchases (
  id text primary key,
  user_id text not null references users (id),
  package text not null,
  credits integer not null check (credits > 0),
  price_cents integer not null check (price_cents > 0),
  currency text not null,
  processor text not null,
  status text not null default 'pending'
    check (status in ('pending', 'paid', 'failed', 'expired', 'canceled', 'review')),
  checkout_url text,
  -- the processor's own names for the checkout and the payment
  checkout_id text unique,
  payment_id text,
  -- the payment company took the money back, perhaps before we heard that it had come
  taken_back boolean not null default false,
  created_at timestamptz not null,
  completed_at timestamptz
);
create index purchases_user on purchases (user_id, created_at desc, id desc);

create table webhook_events (
  sender text not null,
  event_id text not null,
  type text not null,
  purchase_id text references purchases (id),
  outcome text not null,
  received_at timestamptz not null default now(),
  primary key (sender, event_id)
);

-- Generations ---------------------------------------------------------------------------------------------------------

create table generations (
  id text primary key,
  user_id text not null references users (id),
  tool text not null,
  status text not null default 'queued' check (status in ('queued', 'running', 'succeeded', 'failed', 'canceled')),
  cost integer not null check (cost > 0),
  -- text fields as the person gave them
  input jsonb not null,
  percent integer check (percent between 0 and 100),
  cancel_requested boolean not null default false,
  -- set before the provider is asked, so that nobody asks twice
  submit_started_at timestamptz,
  provider_request_id text,
  error_code text,
  error_message text,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  check ((status in ('succeeded', 'failed', 'canceled')) = (finished_at is not null)),
  check ((status in ('failed', 'canceled')) = (error_code is not null))
);
create index generations_user on generations (user_id, created_at desc, id desc);
create index generations_open on generations (created_at) where status in ('queued', 'running');

-- The end of a generation is final.
create function keep_generation_end() returns trigger language plpgsql as $$
begin
  raise exception 'generation % has already ended', old.id using errcode = 'restrict_violation';
end $$;
create trigger generations_end before update of status on generations
  for each row when (old.status in ('succeeded', 'failed', 'canceled')) execute function keep_generation_end();

create table uploads (
  id text primary key,
  user_id text not null references users (id),
  generation_id text not null references generations (id),
  field text not null,
  object_key text not null unique,
  content_type text not null,
  bytes bigint not null,
  width integer not null,
  height integer not null,
  created_at timestamptz not null,
  deleted_at timestamptz
);
create index uploads_generation on uploads (generation_id);
create index uploads_live on uploads (created_at) where deleted_at is null;

create table generated_media (
  id text primary key,
  user_id text not null references users (id),
  generation_id text not null unique references generations (id),
  media_type text not null,
  storage_path text not null unique,
  original_filename text,
  content_type text not null,
  bytes bigint not null,
  width integer not null,
  height integer not null,
  sha256 text not null,
  created_at timestamptz not null,
  deleted_at timestamptz
);
create index generated_media_user on generated_media (user_id, created_at desc, id desc) where deleted_at is null;
create index generated_media_live on generated_media (created_at) where deleted_at is null;

create table idempotency_keys (
  user_id text not null references users (id),
  route text not null,
  key text not null,
  payload_hash bytea not null,
  -- null while the first request is still being worked on
  status integer,
  body jsonb,
  location text,
  created_at timestamptz not null,
  primary key (user_id, route, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);

-- Credits -------------------------------------------------------------------------------------------------------------

create table user_credits (
  user_id text primary key references users (id),
  credits integer not null default 0,
  deleted_at timestamptz,
  constraint user_credits_not_negative check (credits >= 0)
);

-- An opaque id with more than 128 random bits.
create function new_entry_id() returns text language sql volatile as $$
  select 'txn_' || replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')
$$;

create sequence credit_ledger_seq;
create table credit_ledger (
  id text primary key default new_entry_id(),
  -- order of booking; grows in the order of commits for one user
  seq bigint not null unique,
  user_id text not null references users (id),
  delta integer not null check (delta <> 0),
  balance_after integer not null check (balance_after >= 0),
  reason text not null check (reason in ('purchase', 'debit', 'refund', 'signup', 'adjustment', 'reversal')),
  generation_id text references generations (id),
  purchase_id text references purchases (id),
  note text,
  created_at timestamptz not null,
  check (case reason when 'debit' then delta < 0 when 'reversal' then delta < 0 when 'adjustment' then true else delta > 0 end),
  check (reason <> 'refund' or generation_id is not null),
  check ((reason in ('purchase', 'reversal')) = (purchase_id is not null))
);
create index credit_ledger_user on credit_ledger (user_id, seq desc);
create unique index credit_ledger_one_debit on credit_ledger (generation_id) where reason = 'debit';
create unique index credit_ledger_one_refund on credit_ledger (generation_id) where reason = 'refund';
create unique index credit_ledger_one_purchase on credit_ledger (purchase_id) where reason = 'purchase';
create index credit_ledger_reversals on credit_ledger (purchase_id) where reason = 'reversal';

-- A new entry moves the balance in the same statement: the ledger is the only way in.
create function book_ledger_entry() returns trigger language plpgsql as $$
begin
  update user_credits set credits = credits + new.delta where user_id = new.user_id
    returning credits into new.balance_after;
  if not found then
    raise exception 'user % has no credits row', new.user_id using errcode = 'foreign_key_violation';
  end if;
  -- numbered under the lock of the balance, so that the order of entries is the order of balances
  new.seq := nextval('credit_ledger_seq');
  new.created_at := clock_timestamp();
  return new;
end $$;
create trigger credit_ledger_book before insert on credit_ledger for each row execute function book_ledger_entry();

create function refuse_ledger_change() returns trigger language plpgsql as $$
begin
  raise exception 'credit_ledger is append-only' using errcode = 'restrict_violation';
end $$;
create trigger credit_ledger_append_only before update or delete on credit_ledger
  for each row execute function refuse_ledger_change();
create trigger credit_ledger_no_truncate before truncate on credit_ledger
  for each statement execute function refuse_ledger_change();
revoke update, delete, truncate on credit_ledger from public, current_user;

create function guard_balance() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.credits = 0 then return new; end if;
  elsif tg_op = 'UPDATE' then
    if new.credits = old.credits and new.user_id = old.user_id then return new; end if;
    if pg_trigger_depth() > 1 and new.user_id = old.user_id then return new; end if;
  end if;
  raise exception 'a balance moves only by a ledger entry' using errcode = 'restrict_violation';
end $$;
create trigger user_credits_guard before insert or update or delete on user_credits
  for each row execute function guard_balance();

-- The two functions of the specification. Both lock the balance until the transaction ends.
create function get_user_credits_for_update(user_id_input text) returns integer language sql as $$
  select credits from user_credits where user_id = user_id_input and deleted_at is null for update
$$;

-- Books a debit and returns the new balance. Insufficient credits raise check_violation (user_credits_not_negative).
create function deduct_user_credits(user_id_input text, amount_input integer, generation_id_input text default null)
returns integer language plpgsql as $$
declare
  new_balance integer;
begin
  if amount_input is null or amount_input <= 0 then
    raise exception 'the amount must be positive' using errcode = 'invalid_parameter_value';
  end if;
  perform 1 from user_credits where user_id = user_id_input and deleted_at is null for update;
  if not found then
    raise exception 'user % has no credits', user_id_input using errcode = 'no_data_found';
  end if;
  insert into credit_ledger (user_id, delta, reason, generation_id)
  values (user_id_input, -amount_input, 'debit', generation_id_input)
  returning balance_after into new_balance;
  return new_balance;
end $$;

-- Request limits (shape of the library rate-limiter-flexible) ---------------------------------------------------------

create table request_limits (
  key text primary key,
  points integer not null default 0,
  expire bigint
);
