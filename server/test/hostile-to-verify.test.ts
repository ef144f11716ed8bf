import 'reflect-metadata';
import { X509Certificate } from '@peculiar/x509';
import { openSignedFile } from '@plinth/contract/signed-file';
import { verifyFile } from '@plinth/contract/verify';
import {
  BMFFHashAssertion,
  ClaimVersion,
  DataHashAssertion,
  IngredientAssertion,
  type Manifest,
  ManifestStore,
  RelationshipType,
} from '@trustnxt/c2pa-ts/manifest';
import { createPrivateKey, sign } from 'node:crypto';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { makeSelfSigned, splitChain } from '../src/origin/certificate.ts';
import { labelResult, signDerived } from '../src/origin/labels.ts';
import { makeSigner } from '../src/origin/sign.ts';

/** Files that anybody can make, signed with their own key, for the public `POST /verify`. */

/** A file with a manifest, correctly signed by a stranger. */
async function signAsStranger(content: Buffer, fill: (manifest: Manifest) => void): Promise<Buffer> {
  const { chain, key } = await makeSelfSigned(new Date());
  const [certificate, ...chainCertificates] = splitChain(chain).map(
    ({ raw }) => new X509Certificate(new Uint8Array(raw)),
  );
  if (certificate === undefined) throw new Error('no certificate');
  const secret = createPrivateKey(key);
  const signer = {
    ...({ algorithm: -8, certificate, chainCertificates } as const),
    sign: async (payload: Uint8Array) => new Uint8Array(sign(null, payload, secret)),
  };
  const file = openSignedFile(content);
  const store = new ManifestStore();
  const manifest = store.createManifest({
    claimVersion: ClaimVersion.V2,
    assetFormat: file.mimeType,
    instanceID: 'xmp:iid:stranger',
    defaultHashAlgorithm: 'SHA-256',
    signer,
  });
  fill(manifest);
  await file.ensureManifestSpace(store.measureSize());
  await manifest.sign(signer);
  await file.writeManifestJUMBF(store.getBytes());
  return Buffer.from(await file.getDataRange());
}

const FTYP = Buffer.from('000000106674797069736f6d00000000', 'hex');
const FREE = Buffer.from('0000000866726565', 'hex');

const makeBinding = (): BMFFHashAssertion => {
  const binding = BMFFHashAssertion.createV3('stranger', 'SHA-256');
  binding.hash = new Uint8Array(32);
  return binding;
};

it('a clip whose manifest excludes thousands of boxes thousands of times is verified quickly', async () => {
  const clip = Buffer.concat([FTYP, Buffer.alloc(FREE.byteLength * 2000, FREE)]);
  const binding = makeBinding();
  binding.exclusions = Array.from({ length: 500 }, () => ({ xpath: '/free' }));
  const file = await signAsStranger(clip, (manifest) => manifest.addAssertion(binding));
  expect(await verifyFile(file, [])).toMatchObject({ made: false, signed: 'other', changed: null });
});

it(
  'a large manifest that is referenced hundreds of times is hashed once',
  { tags: ['slow'], timeout: 60_000 },
  async () => {
    const large = DataHashAssertion.create('SHA-256', 9_000_000);
    large.hash = new Uint8Array(32);
    const named = (manifest: Manifest, path = '') =>
      ({ uri: `self#jumbf=/c2pa/${manifest.label}${path}`, hash: new Uint8Array(32), algorithm: 'SHA-256' }) as const;
    const picture = await sharp({ create: { width: 16, height: 16, channels: 3, background: '#fff' } })
      .png()
      .toBuffer();
    const file = await signAsStranger(picture, (manifest) => {
      manifest.addAssertion(large);
      for (let number = 1; number <= 500; number += 1) {
        const ingredient = IngredientAssertion.createV3(RelationshipType.ParentOf);
        ingredient.labelSuffix = number;
        ingredient.activeManifest = named(manifest);
        ingredient.claimSignature = named(manifest, '/c2pa.signature');
        ingredient.validationResults = { activeManifest: { success: [], informational: [], failure: [] } };
        manifest.addAssertion(ingredient);
      }
    });
    const startedAt = performance.now();
    expect(await verifyFile(file, [])).toMatchObject({ made: false, signed: 'none', changed: true });
    // Hashing each one anew took 13 seconds.
    expect(performance.now() - startedAt).toBeLessThan(5000);
  },
);

it('a manifest that references an earlier one without its hash is invalid', async () => {
  const signer = makeSigner(await makeSelfSigned(new Date()));
  const paint = (background: string) => sharp({ create: { width: 16, height: 16, channels: 4, background } });
  const origin = { composes: 'scene', isBuiltIn: true, system: 'x', at: new Date(), manifests: undefined } as const;
  const picture = {
    content: await paint('#123456').png().toBuffer(),
    contentType: 'image/png',
    width: 16,
    height: 16,
  } as const;
  const { content } = await labelResult(picture, origin, signer);
  const derived = await signDerived(await paint('#654321').jpeg().toBuffer(), content, new Date(), signer);
  const nameless = Buffer.from(derived);
  nameless.write('hush', derived.indexOf('hash', derived.indexOf('activeManifest')));
  expect(await verifyFile(nameless, [])).toMatchObject({ made: false, signed: 'none', changed: true });
});

it('a file with labels that never end is verified quickly', async () => {
  const jpeg = await sharp({ create: { width: 16, height: 16, channels: 3, background: '#fff' } })
    .jpeg()
    .toBuffer();
  const file = Buffer.concat([jpeg, Buffer.alloc(300_000, '<x:xmpmeta>')]);
  const startedAt = performance.now();
  expect(await verifyFile(file, [])).toMatchObject({ made: false, type: null });
  // Reading each to the end of the file took 18 seconds.
  expect(performance.now() - startedAt).toBeLessThan(3000);
});

/** Content as a box of JUMBF (ISO 19566-5). */
function toBox(type: string, ...parts: Buffer[]): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 4, 'latin1');
  const box = Buffer.concat([head, ...parts]);
  box.writeUInt32BE(box.byteLength);
  return box;
}

const describe = (type: string): Buffer =>
  toBox('jumd', Buffer.from(`${type}\0\x11\0\x10\x80\0\0\xaa\0\x38\x9b\x71\x03x\0`, 'latin1'));

/** A picture with a manifest store whose claim is this CBOR or JSON. */
async function hide(values: Buffer, type: string): Promise<Buffer> {
  const claim = toBox('jumb', describe('c2cl'), toBox(type, values));
  const store = toBox('jumb', describe('c2pa'), toBox('jumb', describe('c2ma'), claim));
  const picture = await sharp({ create: { width: 16, height: 16, channels: 3, background: '#fff' } })
    .png()
    .toBuffer();
  const chunk = Buffer.concat([Buffer.alloc(4), Buffer.from('caBX'), store, Buffer.alloc(4)]);
  chunk.writeUInt32BE(store.byteLength);
  const afterHeader = 33;
  return Buffer.concat([picture.subarray(0, afterHeader), chunk, picture.subarray(afterHeader)]);
}

const repeat = (count: number, hex: string): Buffer => {
  const item = Buffer.from(hex, 'hex');
  return Buffer.alloc(count * item.byteLength, item);
};
const join = (...parts: (string | Buffer)[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'hex') : part)));
/** The head of an array of 100 000 items. */
const ARRAY = '9a000186a0';
const ERRORS = join(ARRAY, repeat(100_000, 'd81b80'));

it.each<[string, Buffer, string?]>([
  // These took 2, 10, 1, 5 and 1 seconds of the process, and up to a gigabyte.
  ['a number of a million bits', join('c25a0001e848', repeat(125_000, 'ff'))],
  ['half a million errors', join('85', ERRORS, ERRORS, ERRORS, ERRORS, ERRORS)],
  ['five million empty bytes', join('9832', ...Array<Buffer>(50).fill(join(ARRAY, repeat(100_000, '40'))))],
  ['a thousand tables', join('d83384', ARRAY, repeat(100_000, '01'), '8080', repeat(999, 'd833848101' + '8080'), '00')],
  [
    'five million empty lists',
    Buffer.concat([Buffer.from('[0'), Buffer.alloc(15_000_000, ',[]'), Buffer.from(']')]),
    'json',
  ],
])('a manifest that says %s is refused at once', async (_name, values, type = 'cbor') => {
  const file = await hide(values, type);
  const startedAt = performance.now();
  expect(await verifyFile(file, [])).toMatchObject({ made: false, signed: 'none', changed: true });
  expect(performance.now() - startedAt).toBeLessThan(500);
});
