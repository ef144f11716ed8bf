import type { Asset } from '@trustnxt/c2pa-ts/asset';
import { CBORBox, SuperBox } from '@trustnxt/c2pa-ts/jumbf';
import {
  ActionAssertion,
  Assertion,
  BMFFHashAssertion,
  DataHashAssertion,
  type HashedURI,
  IngredientAssertion,
  Manifest,
  ManifestStore,
  ValidationStatusCode,
} from '@trustnxt/c2pa-ts/manifest';
import { addExtension, setSizeLimits } from 'cbor-x';
import type { KnownSigner, Verified } from './origin.ts';
import { Mp4, openSignedFile } from './signed-file.ts';
import { findXmp, readSourceType } from './source-type.ts';

/** Verifies from a file's bytes alone that it was made here and is unchanged. Runs in the server and in browsers. */

/** Agent name of the product's own steps, which do not turn a photo into a picture. */
export const PRODUCT = 'Plinth';

/** @param signers the keys of this installation @throws UnreadableFileError */
export async function verifyFile(bytes: Uint8Array, signers: readonly KnownSigner[]): Promise<Verified> {
  const file = openSignedFile(bytes);
  const unsigned = { made: false, by: null, signed: 'none', type: readSourceType(findXmp(bytes)), chain: [] } as const;
  const jumbf = file.getManifestJUMBF();
  if (jumbf === undefined) return { ...unsigned, chain: [], changed: hasManifestRemains(bytes) ? true : null };
  const active = readManifestStore(jumbf)?.getActiveManifest();
  if (active === undefined) return { ...unsigned, chain: [], changed: true };
  // A file that only resembles a manifest makes the library throw.
  const links = await readChain(active, signers).catch(() => []);
  const last = links.at(-1);
  const steps = links.flatMap((link) => link.steps);
  const chain = steps.map(({ by, action, at }) => ({ by, action, at }));
  // A manifest that changed after it was signed proves nothing.
  if (last === undefined || !last.isWhole) return { ...unsigned, chain, changed: true };
  const isSame = await isAsSigned(active, file);
  const made = last.signer !== undefined;
  const own = links.filter(({ signer, isWhole }) => signer !== undefined && isWhole).flatMap((link) => link.steps);
  return {
    made,
    by: made ? (own.map(({ by }) => by).findLast((by) => by !== PRODUCT) ?? null) : null,
    changed: isSame === undefined ? null : !isSame,
    signed: last.signer?.kind ?? 'other',
    type: steps.findLast(({ type }) => type !== null)?.type ?? unsigned.type,
    chain,
  };
}

/**
 * Tags of CBOR that cbor-x computes a value from: big numbers, errors, shared and packed values. A few kilobytes of
 * them take minutes or gigabytes. No manifest needs them.
 */
const COMPUTED_TAGS = [2, 3, 27, 28, 51];
class Uncomputed {}
for (const tag of COMPUTED_TAGS) {
  const refuse = () => {
    throw new Error(`the CBOR tag ${tag}`);
  };
  addExtension({ Class: Uncomputed, tag, encode: refuse, decode: refuse });
}

/** Parses a manifest store; undefined if it is malformed. */
export function readManifestStore(jumbf: Uint8Array): ManifestStore | undefined {
  // A forged length must not allocate memory.
  setSizeLimits({ maxArraySize: 100_000, maxMapSize: 100_000, maxObjectSize: 100_000 });
  try {
    return isWellFormed(jumbf) ? ManifestStore.read(SuperBox.fromBuffer(new Uint8Array(jumbf))) : undefined;
  } catch {
    return undefined;
  }
}

const MAX_BOXES = 10_000;
const MAX_DEPTH = 8;
/** Of CBOR and JSON, of which each byte can become a value that takes 140 bytes of memory. */
const MAX_VALUE_BYTES = 1024 * 1024;

/** True if the boxes nest validly. The library copies a box once per enclosing box, so nesting is limited. */
function isWellFormed(jumbf: Uint8Array): boolean {
  const view = new DataView(jumbf.buffer, jumbf.byteOffset, jumbf.byteLength);
  const [JUMB, CBOR, TEXT] = [0x6a756d62, 0x63626f72, 0x6a736f6e];
  let [boxes, valueBytes] = [0, 0];
  const isInside = (start: number, end: number, depth: number): boolean => {
    for (let at = start; at < end;) {
      const length = end - at < 8 ? 0 : view.getUint32(at);
      boxes += 1;
      if (length < 8 || at + length > end || boxes > MAX_BOXES || depth > MAX_DEPTH) return false;
      const type = view.getUint32(at + 4);
      if (type === JUMB && !isInside(at + 8, at + length, depth + 1)) return false;
      if (type === CBOR || type === TEXT) valueBytes += countNonZero(jumbf.subarray(at + 8, at + length));
      if (valueBytes > MAX_VALUE_BYTES) return false;
      at += length;
    }
    return true;
  };
  return isInside(0, jumbf.byteLength, 0);
}

/** Stops beyond the limit. Zeros are padding, of which a manifest may have megabytes. */
function countNonZero(bytes: Uint8Array): number {
  let count = 0;
  for (let at = 0; at < bytes.byteLength && count <= MAX_VALUE_BYTES; at += 1) if (bytes[at] !== 0) count += 1;
  return count;
}

const MANIFEST_MARK = new TextEncoder().encode('jumdc2pa');

/** True if the file contains remains of a manifest. */
function hasManifestRemains(bytes: Uint8Array): boolean {
  const [first = 0] = MANIFEST_MARK;
  for (let at = bytes.indexOf(first); at !== -1; at = bytes.indexOf(first, at + 1))
    if (MANIFEST_MARK.every((byte, place) => bytes[at + place] === byte)) return true;
  return false;
}

type Step = Verified['chain'][number] & { type: string | null };
type Link = { isWhole: boolean; signer: KnownSigner | undefined; steps: Step[] };

const MAX_CHAIN_LENGTH = 50;

/** Returns the manifest and its ingredients' manifests, the oldest first. */
async function readChain(
  manifest: Manifest,
  signers: readonly KnownSigner[],
  seen: Set<Manifest> = new Set(),
): Promise<Link[]> {
  seen.add(manifest);
  const links: Link[] = [];
  let isWhole = await isSigned(manifest);
  for (const [, ingredient] of listAssertions(manifest)) {
    if (!(ingredient instanceof IngredientAssertion)) continue;
    const reference = ingredient.activeManifest ?? ingredient.c2pa_manifest;
    if (reference === undefined) continue;
    const found = manifest.getComponentByURL(reference.uri);
    if (!(found instanceof Manifest) || !(await hasHash(found.sourceBox?.rawContent, reference))) isWhole = false;
    else if (!seen.has(found) && seen.size < MAX_CHAIN_LENGTH) links.push(...(await readChain(found, signers, seen)));
  }
  return [...links, { isWhole, signer: findSigner(manifest, signers), steps: listSteps(manifest) }];
}

/** True if claim and assertions are as signed, by any signer. */
export async function isSigned(manifest: Manifest): Promise<boolean> {
  const { claim, signature, assertions } = manifest;
  const claimed = claim?.getBytes(claim);
  if (claimed === undefined || signature === undefined) return false;
  const found = await signature.validate(claimed).catch(() => undefined);
  if (found?.statusEntries.some(({ code }) => code === ValidationStatusCode.ClaimSignatureValidated) !== true)
    return false;
  const listed = listAssertions(manifest);
  const areWhole = await Promise.all(
    listed.map(([reference, assertion]) => hasHash(assertion?.sourceBox?.rawContent, reference)),
  );
  return areWhole.every(Boolean) && assertions?.assertions.length === listed.length;
}

function listAssertions(manifest: Manifest): [HashedURI, Assertion | undefined][] {
  const { claim } = manifest;
  return [...(claim?.assertions ?? []), ...(claim?.gatheredAssertions ?? [])].map((reference) => {
    const found = manifest.getComponentByURL(reference.uri, true);
    return [reference, found instanceof Assertion ? found : undefined];
  });
}

/** Digests by content and algorithm, because thousands of ingredients may name one manifest of many megabytes. */
const digests = new WeakMap<Uint8Array, Map<string, Promise<ArrayBuffer>>>();

async function hasHash(bytes: Uint8Array | undefined, { hash, algorithm }: HashedURI): Promise<boolean> {
  if (bytes === undefined) return false;
  const known = digests.get(bytes) ?? new Map<string, Promise<ArrayBuffer>>();
  const digest = known.get(algorithm) ?? crypto.subtle.digest(algorithm, new Uint8Array(bytes));
  digests.set(bytes, known.set(algorithm, digest));
  const found = new Uint8Array(await digest);
  return found.byteLength === hash.byteLength && found.every((byte, at) => byte === hash[at]);
}

function findSigner({ signature }: Manifest, signers: readonly KnownSigner[]): KnownSigner | undefined {
  const certificate = signature?.signatureData.certificate;
  if (certificate === undefined) return undefined;
  const publicKey = btoa(String.fromCharCode(...new Uint8Array(certificate.publicKey.rawData)));
  return signers.find((one) => one.publicKey === publicKey);
}

const MAX_TEXT_LENGTH = 200;

function listSteps(manifest: Manifest): Step[] {
  return listAssertions(manifest).flatMap(([, assertion]) => {
    if (!(assertion instanceof ActionAssertion)) return [];
    // The library drops the time.
    const [box] = assertion.sourceBox?.contentBoxes ?? [];
    const { actions: raw = [] } = (box instanceof CBORBox ? box.content : {}) as { actions?: { when?: unknown }[] };
    return assertion.actions.map(({ action, softwareAgent, digitalSourceType }, place) => ({
      by: toText(softwareAgent?.name ?? manifest.claim?.claimGeneratorName),
      action: toText(action) ?? '',
      at: toTime(raw[place]?.when),
      type: toText(digitalSourceType)?.split('/').at(-1) ?? null,
    }));
  });
}

const toText = (value: unknown): string | null => (typeof value === 'string' ? value.slice(0, MAX_TEXT_LENGTH) : null);

function toTime(value: unknown): string | null {
  const time = value instanceof Date || typeof value === 'string' ? new Date(value) : undefined;
  return time === undefined || Number.isNaN(time.getTime()) ? null : time.toISOString();
}

const MATCHES: ReadonlySet<string> = new Set([
  ValidationStatusCode.AssertionDataHashMatch,
  ValidationStatusCode.AssertionBMFFHashMatch,
]);

/** The most work to verify a clip: boxes times bytes of their binding, which may exclude each box once per entry. */
const MAX_WORK = 2_000_000;

/** True if the file's bytes are those that were signed; undefined for an unsupported kind of hash binding. */
async function isAsSigned(manifest: Manifest, file: Asset): Promise<boolean | undefined> {
  const binding = listAssertions(manifest).find(
    ([, one]) => one instanceof DataHashAssertion || one instanceof BMFFHashAssertion,
  )?.[1];
  if (binding === undefined) return undefined;
  if (binding instanceof BMFFHashAssertion && file instanceof Mp4) {
    const work = file.getTopLevelBoxes().length * (binding.sourceBox?.rawContent?.byteLength ?? Infinity);
    if (binding.merkle !== undefined || work > MAX_WORK) return undefined;
    binding.exclusions = file.expandExclusions(binding.exclusions);
  }
  const found = await binding.validateAgainstAsset(file).catch(() => undefined);
  return found?.statusEntries.some(({ code }) => MATCHES.has(code));
}
