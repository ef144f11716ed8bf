import 'reflect-metadata';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectKeyIdentifierExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { initSync, WasmReader } from '@contentauth/c2pa-wasm';
import { randomBytes, webcrypto } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const DAY_MS = 86_400_000;
const ALGORITHMS = {
  'P-256': { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
  'P-384': { name: 'ECDSA', namedCurve: 'P-384', hash: 'SHA-384' },
  Ed25519: { name: 'Ed25519' },
  RSA: { name: 'RSASSA-PKCS1-v1_5', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' },
} as const;

type CertificateOptions = {
  kind?: keyof typeof ALGORITHMS;
  /** Validity period from now. */
  days?: number;
  /** Self-signed, without an issuer above it. */
  isLone?: boolean;
};

/** Writes an operator's certificate and key as files, and returns the settings that name them. */
export async function writeCertificate(folder: string, options: CertificateOptions) {
  const { kind = 'P-256', days = 30, isLone = false } = options;
  const algorithm = ALGORITHMS[kind];
  const makeKeys = async () =>
    (await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair;
  const [root, own] = [await makeKeys(), await makeKeys()];
  const [subject, above] = ['CN=Shop, O=Shop of the test', 'CN=Root, O=Shop of the test'];
  const make = (name: string, publicKey: webcrypto.CryptoKey, extensions: BasicConstraintsExtension[]) =>
    X509CertificateGenerator.create({
      subject: name,
      issuer: isLone ? subject : above,
      publicKey,
      extensions,
      notBefore: new Date(Date.now() - 10 * DAY_MS),
      notAfter: new Date(Date.now() + days * DAY_MS),
      serialNumber: `01${randomBytes(8).toString('hex')}`,
      signingKey: isLone ? own.privateKey : root.privateKey,
      signingAlgorithm: algorithm,
    });
  const leaf = await make(subject, own.publicKey, [
    new BasicConstraintsExtension(false, undefined, true),
    new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
    new ExtendedKeyUsageExtension(['1.3.6.1.5.5.7.3.4'], false),
    await SubjectKeyIdentifierExtension.create(own.publicKey),
    await AuthorityKeyIdentifierExtension.create(isLone ? own.publicKey : root.publicKey),
  ] as BasicConstraintsExtension[]);
  const ca = await make(above, root.publicKey, [
    new BasicConstraintsExtension(true, 0, true),
    new KeyUsagesExtension(KeyUsageFlags.keyCertSign, true),
    await SubjectKeyIdentifierExtension.create(root.publicKey),
  ] as BasicConstraintsExtension[]);
  const name = join(folder, randomBytes(6).toString('hex'));
  writeFileSync(`${name}.pem`, isLone ? leaf.toString('pem') : `${leaf.toString('pem')}\n${ca.toString('pem')}`);
  const key = await webcrypto.subtle.exportKey('pkcs8', own.privateKey);
  writeFileSync(`${name}.key`, PemConverter.encode(key, 'PRIVATE KEY'));
  return { C2PA_CERT: `${name}.pem`, C2PA_KEY: `${name}.key` };
}

/** A browser's file that can be read synchronously, as the reader needs it. */
class HeldFile extends Blob {
  readonly held: Uint8Array<ArrayBuffer>;

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    super([bytes]);
    this.held = bytes;
  }

  override slice(start = 0, end = this.held.byteLength): HeldFile {
    return new HeldFile(this.held.slice(start, end));
  }
}

/** The report of the Content Authenticity Initiative's own reader on a file. */
export type Read = {
  state: 'Valid' | 'Invalid' | 'Trusted';
  /** Its findings against the file itself, except that the certificate is unknown. */
  faults: string[];
  /** Claims, the file's own first. */
  manifests: { title: string; actions: string[]; types: string[]; times: string[] }[];
  text: string;
};

type Report = {
  active_manifest: string;
  validation_state: Read['state'];
  validation_results?: { activeManifest?: { failure?: { code: string }[] } };
  manifests: Record<string, ReportedManifest>;
};
type ReportedManifest = {
  claim_generator_info: { name: string }[];
  assertions: {
    label: string;
    data: { actions?: { action: string; digitalSourceType?: string; when?: string }[] };
  }[];
};

let isReady = false;

/** Reads with c2pa-rs, which shares no code with our signer. @throws if the file has no manifest */
export async function readIndependently(content: Buffer, type: string): Promise<Read> {
  if (!isReady) {
    Object.assign(globalThis, {
      FileReaderSync: class {
        readAsArrayBuffer = ({ held }: HeldFile) => held.slice().buffer;
      },
    });
    initSync({ module: readFileSync(fileURLToPath(import.meta.resolve('@contentauth/c2pa-wasm/c2pa.wasm'))) });
    isReady = true;
  }
  const reader = await WasmReader.fromBlob(type, new HeldFile(new Uint8Array(content)));
  const text = reader.json();
  const report = JSON.parse(text) as Report;
  const failures = report.validation_results?.activeManifest?.failure ?? [];
  const labels = Object.keys(report.manifests).sort((a) => (a === report.active_manifest ? -1 : 1));
  return {
    state: report.validation_state,
    faults: failures.map(({ code }) => code).filter((code) => code !== 'signingCredential.untrusted'),
    manifests: labels.map((label) => describeManifest(report.manifests[label] as ReportedManifest)),
    text,
  };
}

function describeManifest({
  claim_generator_info: generators,
  assertions,
}: ReportedManifest): Read['manifests'][number] {
  const actions = assertions.flatMap(({ data }) => data.actions ?? []);
  return {
    title: generators[0]?.name ?? '',
    actions: actions.map(({ action }) => action),
    types: actions.flatMap(({ digitalSourceType = '' }) => digitalSourceType.split('/').at(-1) ?? []),
    times: actions.map(({ when = '' }) => when),
  };
}
