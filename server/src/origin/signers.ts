import type { KnownSigner } from '@plinth/contract/origin';
import { sql } from 'kysely';
import { hash } from 'node:crypto';
import type { Clock } from '../platform/clock.ts';
import type { Db } from '../platform/data/db.ts';
import type { Row } from '../platform/data/rows.ts';
import { type Certificate, makeSelfSigned, splitChain } from './certificate.ts';
import { makeSigner, type Signer } from './sign.ts';

type CertificateRow = Row<'signingCertificates', 'chain' | 'privateKey'>;

/** The operator's certificate, else this installation's, stored in the database for all processes. */
export async function openSigner(db: Db, clock: Clock, operator: Certificate | undefined): Promise<Signer> {
  if ((await findSelfSigned(db)) === undefined) await insertCertificate(db, clock, await makeSelfSigned(clock.now()));
  if (operator !== undefined) await insertCertificate(db, clock, operator);
  const certificate = operator ?? (await findSelfSigned(db));
  if (certificate === undefined) throw new Error('the certificate of this installation is gone');
  return makeSigner(certificate);
}

async function findSelfSigned(db: Db): Promise<Certificate | undefined> {
  const found = await sql<CertificateRow>`
    select chain, private_key as "privateKey" from signing_certificates where kind = 'self'`.execute(db);
  const [row] = found.rows;
  return row && { kind: 'self', chain: row.chain, key: row.privateKey ?? '' };
}

/** No effect if another process was first. */
async function insertCertificate(db: Db, clock: Clock, { kind, chain, key }: Certificate): Promise<void> {
  const fingerprint = hash('sha256', readPublicKey(chain), 'hex');
  await sql`
    insert into signing_certificates (fingerprint, kind, chain, private_key, created_at)
    values (${fingerprint}, ${kind}, ${chain}, ${kind === 'self' ? key : null}, ${clock.now()})
    on conflict do nothing`.execute(db);
}

function readPublicKey(chain: string): Buffer {
  const [leaf] = splitChain(chain);
  if (leaf === undefined) throw new Error('a chain without a certificate');
  return leaf.publicKey.export({ type: 'spki', format: 'der' });
}

/** All certificates that ever signed here. */
export async function listSigners(db: Db): Promise<KnownSigner[]> {
  const found = await sql<Row<'signingCertificates', 'chain' | 'kind'>>`
    select chain, kind from signing_certificates order by created_at`.execute(db);
  return found.rows.map(({ chain, kind }) => ({
    kind: kind === 'operator' ? 'operator' : 'self',
    publicKey: readPublicKey(chain).toString('base64'),
  }));
}
