// The library requires it.
import 'reflect-metadata';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsageExtension,
  type Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectKeyIdentifierExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { createPrivateKey, type KeyObject, randomBytes, webcrypto, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ExpectedError } from '../platform/errors.ts';

/** The signing certificate. PEM; the signing one is first in the chain. */
export type Certificate = { kind: 'operator' | 'self'; chain: string; key: string };

/** The operator's certificate is unusable; one sentence without secrets. */
export class CertificateError extends ExpectedError {}

type CertificatePaths = { C2PA_CERT?: string | undefined; C2PA_KEY?: string | undefined };

/** Reads the operator's certificate; undefined without one. @throws CertificateError */
export function readOperatorCertificate({ C2PA_CERT, C2PA_KEY }: CertificatePaths, now: Date): Certificate | undefined {
  if (C2PA_CERT === undefined || C2PA_KEY === undefined) return undefined;
  const chain = read('C2PA_CERT', C2PA_CERT);
  const key = read('C2PA_KEY', C2PA_KEY);
  const [leaf] = attempt('C2PA_CERT: holds no certificate in PEM', () => splitChain(chain));
  if (leaf === undefined) throw new CertificateError('C2PA_CERT: holds no certificate in PEM');
  const secret = attempt('C2PA_KEY: holds no private key in PEM that is open without a password', () =>
    createPrivateKey(key),
  );
  if (findAlgorithm(secret) === undefined)
    throw new CertificateError('C2PA_KEY: must be an Ed25519 key, or one for ECDSA on P-256 or P-384');
  if (!leaf.checkPrivateKey(secret)) throw new CertificateError('C2PA_KEY: belongs to another certificate');
  const [from, to] = [new Date(leaf.validFrom), new Date(leaf.validTo)];
  if (to <= now) throw new CertificateError(`C2PA_CERT: expired on ${to.toISOString().slice(0, 10)}`);
  if (from > now) throw new CertificateError(`C2PA_CERT: is valid from ${from.toISOString().slice(0, 10)} on`);
  return { kind: 'operator', chain, key };
}

function read(name: keyof CertificatePaths, path: string): string {
  return attempt(`${name}: the file cannot be read`, () => readFileSync(path, 'utf8'));
}

function attempt<Result>(fault: string, work: () => Result): Result {
  try {
    return work();
  } catch (cause) {
    throw new CertificateError(fault, { cause });
  }
}

export const splitChain = (chain: string): X509Certificate[] =>
  (chain.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []).map(
    (one) => new X509Certificate(one),
  );

/** COSE algorithm ids (RFC 9053); undefined for unsupported ones: RSA-PSS is not deterministic. */
export function findAlgorithm(key: KeyObject): -8 | -7 | -35 | undefined {
  if (key.asymmetricKeyType === 'ed25519') return -8;
  return ({ prime256v1: -7, secp384r1: -35 } as const)[key.asymmetricKeyDetails?.namedCurve ?? ''];
}

/** True if C2PA readers accept it; one without an organisation counts as invalid (c2pa-rs, November 2026). */
export const isMadeForSigning = (leaf: X509Certificate): boolean =>
  !leaf.ca &&
  leaf.subject !== leaf.issuer &&
  /^O=/m.test(leaf.subject) &&
  (leaf.keyUsage ?? []).some((use) => SIGNING.has(use));

const EMAIL_PROTECTION = '1.3.6.1.5.5.7.3.4';
const DOCUMENT_SIGNING = '1.3.6.1.5.5.7.3.36';
const C2PA_SIGNING = '1.3.6.1.4.1.62558.2.1';
const SIGNING = new Set([EMAIL_PROTECTION, DOCUMENT_SIGNING, C2PA_SIGNING]);

const ED25519 = { name: 'Ed25519' };
const YEARS = 10;
const DAY_MS = 86_400_000;

/** Makes a certificate below a root whose key is discarded, because readers reject self-signed ones. */
export async function makeSelfSigned(now: Date): Promise<Certificate> {
  const makeKeys = async () =>
    (await webcrypto.subtle.generateKey(ED25519, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair;
  const [rootKeys, leafKeys] = [await makeKeys(), await makeKeys()];
  const issuer = 'CN=Plinth (self-signed) root, O=Plinth';
  const notAfter = new Date(now);
  notAfter.setUTCFullYear(now.getUTCFullYear() + YEARS);
  const make = (subject: string, { publicKey }: webcrypto.CryptoKeyPair, extensions: Extension[]) =>
    X509CertificateGenerator.create({
      ...{ subject, issuer, publicKey, extensions, notAfter },
      // Valid for clocks behind ours, too.
      notBefore: new Date(now.getTime() - DAY_MS),
      serialNumber: `01${randomBytes(15).toString('hex')}`,
      signingKey: rootKeys.privateKey,
      signingAlgorithm: ED25519,
    });
  const ca = await make(issuer, rootKeys, [
    new BasicConstraintsExtension(true, 0, true),
    new KeyUsagesExtension(KeyUsageFlags.keyCertSign, true),
    await SubjectKeyIdentifierExtension.create(rootKeys.publicKey),
  ]);
  const leaf = await make('CN=Plinth (self-signed), O=Plinth', leafKeys, [
    new BasicConstraintsExtension(false, undefined, true),
    new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
    new ExtendedKeyUsageExtension([EMAIL_PROTECTION, DOCUMENT_SIGNING], false),
    await SubjectKeyIdentifierExtension.create(leafKeys.publicKey),
    await AuthorityKeyIdentifierExtension.create(rootKeys.publicKey),
  ]);
  const key = PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', leafKeys.privateKey), 'PRIVATE KEY');
  return { kind: 'self', chain: `${leaf.toString('pem')}\n${ca.toString('pem')}`, key };
}
