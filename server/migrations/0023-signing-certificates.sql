-- The certificates that files are or were signed with: the one this installation made for itself, with its key, and
-- those of the operator, whose keys stay in their files. Earlier ones are kept, so that what they signed is known.
create table signing_certificates (
  -- SHA-256 of the public key, in hex.
  fingerprint text primary key,
  kind text not null check (kind in ('operator', 'self')),
  -- PEM, the certificate that signs first.
  chain text not null,
  private_key text,
  created_at timestamptz not null,
  check ((kind = 'self') = (private_key is not null))
);
create unique index signing_certificates_self on signing_certificates (kind) where kind = 'self';
