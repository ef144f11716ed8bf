// The library requires it.
import 'reflect-metadata';
import { p256, p384 } from '@noble/curves/nist.js';
import { X509Certificate } from '@peculiar/x509';
import { Mp4, openSignedFile } from '@plinth/contract/signed-file';
import { SOURCE_TYPES } from '@plinth/contract/source-type';
import { isSigned, PRODUCT, readManifestStore } from '@plinth/contract/verify';
import type { Asset } from '@trustnxt/c2pa-ts/asset';
import type { Signer as CoseSigner } from '@trustnxt/c2pa-ts/cose';
import { CBORBox } from '@trustnxt/c2pa-ts/jumbf';
import {
  ActionAssertion,
  type ActionType,
  BMFFHashAssertion,
  type Claim,
  ClaimVersion,
  DataHashAssertion,
  type DigitalSourceType,
  type HashedURI,
  IngredientAssertion,
  type Manifest,
  ManifestStore,
  RelationshipType,
  ValidationStatusCode,
} from '@trustnxt/c2pa-ts/manifest';
import { Tag } from 'cbor-x';
import { createHash, createPrivateKey, hash, sign as signBytes } from 'node:crypto';
import { type Certificate, findAlgorithm, splitChain } from './certificate.ts';

/** Adds a signed C2PA 2.2 manifest about a file's making. Deterministic. */

/** How a file was made, without personal data. */
export type Provenance = {
  system: string;
  /** The last part of the IPTC digital source type's URI; null if unknown. */
  sourceType: string | null;
  at: Date;
  /** The source: a photo that is partly visible, a photo that was only drawn from, or an earlier file. */
  from: 'photo, edited' | 'photo, drawn' | EarlierFile;
};
type EarlierFile = {
  /** The source's manifest store. */
  manifests: Uint8Array | undefined;
};

export type Signer = {
  /** Adds a manifest to a file. @throws Error for a malformed file */
  sign: (content: Buffer, provenance: Provenance) => Promise<Buffer>;
  /** The most bytes that `sign` adds. */
  measure: (from: EarlierFile) => number;
};

export function makeSigner({ chain, key }: Certificate): Signer {
  const certificates = splitChain(chain).map(({ raw }) => new X509Certificate(new Uint8Array(raw)));
  const [certificate, ...chainCertificates] = certificates;
  const algorithm = findAlgorithm(createPrivateKey(key));
  if (certificate === undefined || algorithm === undefined) throw new Error('nothing to sign with');
  const signer = { algorithm, certificate, chainCertificates, sign: makeSign(key) };
  const certificateBytes = certificates.reduce((sum, { rawData }) => sum + rawData.byteLength, 0);
  return {
    sign: (content, provenance) => signFile(content, provenance, signer),
    // A JPEG needs 16 extra bytes per 64 KiB.
    measure: ({ manifests }) =>
      MANIFEST_BYTES + certificateBytes + Math.ceil((manifests?.byteLength ?? 0) * (1 + 1 / 4000)),
  };
}

// Without certificates; ours take 2.6 KB.
const MANIFEST_BYTES = 4096;
/** Room for our longest signature, 96 bytes; padded with zeros. */
const PADDED_SIGNATURE_BYTES = 512;
const HASH = 'SHA-256';

async function signFile(content: Buffer, provenance: Provenance, signer: CoseSigner): Promise<Buffer> {
  const file = openSignedFile(content);
  const id = toUuid(
    createHash('sha256')
      .update(content)
      .update(JSON.stringify({ ...provenance, from: '' })),
  );
  const store = new ManifestStore();
  const manifest = store.createManifest({
    claimVersion: ClaimVersion.V2,
    assetFormat: file.mimeType,
    instanceID: `xmp:iid:${id}`,
    defaultHashAlgorithm: HASH,
    signer,
  });
  const { claim, signature } = manifest;
  if (claim === undefined || signature === undefined) throw new Error('an empty manifest');
  manifest.label = `urn:c2pa:${id}`;
  claim.claimGeneratorName = PRODUCT;
  claim.claimGeneratorVersion = undefined;
  signature.signatureData.paddingLength = PADDED_SIGNATURE_BYTES;
  const binding = file instanceof Mp4 ? BMFFHashAssertion.createV3(PRODUCT, HASH) : DataHashAssertion.create(HASH);
  manifest.addAssertion(binding);
  const earlier = await addHistory(manifest, provenance);
  await file.ensureManifestSpace(store.measureSize() + earlier.byteLength);
  await bind(binding, file);
  await manifest.sign(signer);
  await file.writeManifestJUMBF(insertManifests(store.getBytes(), earlier));
  return Buffer.from(await file.getDataRange());
}

/** A deterministic id in the format of a random UUID, which strict readers require. */
function toUuid(hash: ReturnType<typeof createHash>): string {
  const bytes = hash.digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5');
}

async function bind(binding: BMFFHashAssertion | DataHashAssertion, file: Asset): Promise<void> {
  const isClip = binding instanceof BMFFHashAssertion && file instanceof Mp4;
  if (!isClip) return binding.updateWithAsset(file);
  const { exclusions } = binding;
  binding.exclusions = file.expandExclusions(exclusions);
  await binding.updateWithAsset(file);
  binding.exclusions = exclusions;
}

/** Adds actions and ingredients. @returns the manifests of the ingredients */
async function addHistory(manifest: Manifest, provenance: Provenance): Promise<Uint8Array> {
  const { from } = provenance;
  const isDrawn = from === 'photo, drawn';
  const ingredient = IngredientAssertion.createV3(isDrawn ? RelationshipType.InputTo : RelationshipType.ParentOf);
  const manifests = typeof from === 'object' ? from.manifests : undefined;
  const earlier = manifests && readManifestStore(manifests);
  const activeManifest = earlier?.getActiveManifest();
  if (activeManifest !== undefined) await addReference(ingredient, activeManifest);
  manifest.addAssertion(ingredient);
  const agent = { softwareAgent: { name: provenance.system } };
  const source =
    provenance.sourceType === null
      ? {}
      : { digitalSourceType: (SOURCE_TYPES + provenance.sourceType) as DigitalSourceType };
  const parameters = { ingredients: [manifest.createAssertionReference(ingredient)] };
  manifest.addAssertion(
    new DatedActions(
      provenance.at,
      isDrawn
        ? [{ action: 'c2pa.created' as ActionType, parameters, ...agent, ...source }]
        : [
            { action: 'c2pa.opened' as ActionType, parameters, ...agent },
            { action: 'c2pa.edited' as ActionType, ...agent, ...source },
          ],
    ),
  );
  return manifests !== undefined && activeManifest !== undefined
    ? manifests.subarray(findManifestsOffset(manifests))
    : new Uint8Array();
}

/** Adds the time of an action, which the library omits. */
class DatedActions extends ActionAssertion {
  readonly #at: Date;

  constructor(at: Date, actions: ActionAssertion['actions']) {
    super();
    this.#at = at;
    this.actions = actions;
  }

  override generateJUMBFBoxForContent(claim: Claim): CBORBox {
    const { content } = super.generateJUMBFBoxForContent(claim) as CBORBox;
    const { actions } = content as { actions: object[] };
    const box = new CBORBox();
    box.content = { actions: actions.map((action) => ({ ...action, when: new Tag(this.#at.toISOString(), 0) })) };
    return box;
  }
}

/** References a manifest in the same store, with its validation result. */
async function addReference(ingredient: IngredientAssertion, earlier: Manifest): Promise<void> {
  const toHashedUri = (path: string, content: Uint8Array | undefined): HashedURI => ({
    uri: `self#jumbf=/c2pa/${earlier.label}${path}`,
    hash: new Uint8Array(hash('sha256', content ?? '', 'buffer')),
    algorithm: HASH,
  });
  const url = `self#jumbf=/c2pa/${earlier.label}/c2pa.signature`;
  const isValid = await isSigned(earlier);
  const code = isValid ? ValidationStatusCode.ClaimSignatureValidated : ValidationStatusCode.ClaimSignatureMismatch;
  const [success, failure] = isValid ? [[{ code, url }], []] : [[], [{ code, url }]];
  ingredient.activeManifest = toHashedUri('', earlier.sourceBox?.rawContent);
  ingredient.claimSignature = toHashedUri('/c2pa.signature', earlier.signature?.sourceBox?.rawContent);
  ingredient.validationResults = { activeManifest: { success, informational: [], failure } };
}

const BOX_HEADER_BYTES = 8;

/** The offset of a store's first manifest, after its description box. */
const findManifestsOffset = (store: Uint8Array): number =>
  BOX_HEADER_BYTES + Buffer.from(store.buffer, store.byteOffset).readUInt32BE(BOX_HEADER_BYTES);

/** Puts earlier manifests first, byte for byte: the library would rewrite them, which would break their hashes. */
function insertManifests(store: Uint8Array, earlier: Uint8Array): Uint8Array {
  const offset = findManifestsOffset(store);
  const merged = Buffer.concat([store.subarray(0, offset), earlier, store.subarray(offset)]);
  merged.writeUInt32BE(merged.byteLength, 0);
  return merged;
}

/** Signs for COSE (RFC 9053): r and s concatenated, and deterministic, unlike ECDSA of node:crypto. */
function makeSign(pem: string): (payload: Uint8Array) => Promise<Uint8Array> {
  const key = createPrivateKey(pem);
  const algorithm = findAlgorithm(key);
  if (algorithm === -8) return async (payload) => new Uint8Array(signBytes(null, payload, key));
  const secret = Buffer.from(key.export({ format: 'jwk' }).d ?? '', 'base64url');
  const curve = algorithm === -7 ? p256 : p384;
  return async (payload) => curve.sign(payload, secret, { lowS: false });
}
