import { randomBytes } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import type { Composes } from '@plinth/contract/tool';
import { type ToolId, toolIds, tools } from '@plinth/contract/tools';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { labelResult, type Origin } from '../src/origin/labels.ts';
import { findCover, readMp4 } from '../src/media/mp4.ts';
import { checkResult, InvalidResultError } from '../src/media/results.ts';
import { makeSelfSigned } from '../src/origin/certificate.ts';
import { makeSigner } from '../src/origin/sign.ts';
import { mappings } from '../src/providers/mappings.ts';
import { startTestApp, type TestApp } from './app.ts';
import { coverClip, makeBox, makeClip } from './clip.ts';
import { readCutout } from './cutouts.ts';
import {
  makeGeneration,
  makeItem,
  makeRedo,
  makeRun,
  makeUser,
  type TestUser,
  waitForEnd,
  waitForRun,
} from './makers.ts';
import { unzip } from './wire.ts';

let engine: TestApp;
let hosted: TestApp;
const people = new Map<TestApp, TestUser>();
beforeAll(async () => {
  [engine, hosted] = await Promise.all([startTestApp({}, undefined, 'built-in'), startTestApp()]);
  for (const app of [engine, hosted]) people.set(app, await makeUser(app, { credits: 60 }));
});
afterAll(() => Promise.all([engine.close(), hosted.close()]));

const PRODUCT_WORDS = /<xmp:CreatorTool>Plinth<\/xmp:CreatorTool>/;
const read = async (answer: Response) => Buffer.from(await answer.arrayBuffer());
const typeOf = (xmp: string) =>
  /<Iptc4xmpExt:DigitalSourceType>http:\/\/cv\.iptc\.org\/newscodes\/digitalsourcetype\/(\w+)</.exec(xmp)?.[1];
const systemOf = (xmp: string) => /<Iptc4xmpExt:AISystemUsed>([^<]*)</.exec(xmp)?.[1];

/** The chunks of a PNG, or the top-level boxes of an MP4, in order. */
type Piece = { type: string; body: Buffer };
function splitPng(file: Buffer): Piece[] {
  const pieces: Piece[] = [];
  for (let at = 8; at < file.byteLength;) {
    const length = file.readUInt32BE(at);
    pieces.push({ type: file.toString('latin1', at + 4, at + 8), body: file.subarray(at + 8, at + 8 + length) });
    at += 12 + length;
  }
  return pieces;
}
function splitMp4(file: Buffer): Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at < file.byteLength;) {
    const size = file.readUInt32BE(at);
    pieces.push({ type: file.toString('latin1', at + 4, at + 8), body: file.subarray(at + 8, at + size) });
    at += size;
  }
  return pieces;
}

async function readLabel(file: Buffer): Promise<string> {
  if (file.toString('latin1', 1, 4) === 'PNG') {
    const text = splitPng(file).find(({ type }) => type === 'iTXt')?.body ?? Buffer.alloc(0);
    expect(text.toString('latin1', 0, 22)).toBe('XML:com.adobe.xmp\0\0\0\0\0');
    return text.toString('utf8', 22);
  }
  if (file.toString('latin1', 4, 8) !== 'ftyp') return String((await sharp(file).metadata()).xmp ?? '');
  const label = splitMp4(file).at(-1);
  expect(label?.type).toBe('uuid');
  expect(label?.body.toString('hex', 0, 16).toUpperCase()).toBe('BE7ACFCB97A942E89C71999491E3AFAC');
  return label?.body.toString('utf8', 16) ?? '';
}

async function make(app: TestApp, tool: ToolId): Promise<{ generationId: string; mediaId: string; file: Buffer }> {
  const user = people.get(app) as TestUser;
  const made = await waitForEnd(user, (await makeGeneration(user, { tool, prompt: 'on SECRET marble' })).id);
  const mediaId = made.result?.mediaId ?? '';
  return {
    generationId: made.id,
    mediaId,
    file: await read(await user.fetch(`/api/v1/media/${mediaId}/content`)),
  };
}

const TRAINED = 'compositeWithTrainedAlgorithmicMedia';
const TYPES: Record<Composes, { engine: string; hosted: string }> = {
  nothing: { engine: 'algorithmicallyEnhanced', hosted: 'algorithmicallyEnhanced' },
  scene: { engine: 'compositeSynthetic', hosted: TRAINED },
  person: { engine: TRAINED, hosted: TRAINED },
};

describe.each(toolIds)('a result of %s', (tool) => {
  it('says that the built-in engine made it, and how', async () => {
    const xmp = await readLabel((await make(engine, tool)).file);
    expect([typeOf(xmp), systemOf(xmp)]).toEqual([TYPES[tools[tool].composes].engine, 'Plinth engine']);
    expect(xmp).toMatch(PRODUCT_WORDS);
    expect(xmp).not.toContain('SECRET');
  });

  it('says which hosted model made it, and how', async () => {
    const xmp = await readLabel((await make(hosted, tool)).file);
    expect([typeOf(xmp), systemOf(xmp)]).toEqual([TYPES[tools[tool].composes].hosted, mappings[tool].hosted.model]);
    expect(xmp).toMatch(PRODUCT_WORDS);
    expect(xmp).not.toContain(hosted.provider.host);
  });
});

const photo = () =>
  sharp(randomBytes(40 * 30 * 3), { raw: { width: 40, height: 30, channels: 3 } }).withMetadata({ density: 300 });

describe('a label', () => {
  it('stands in a redo, in a small preview, and in whatever is exported and archived', { tags: ['slow'] }, async () => {
    const cutout = await readCutout('mug', 0.4);
    engine.provider.behave({ polls: 0, file: (response) => Boolean(response.writeHead(200).end(cutout)) });
    const user = people.get(engine) as TestUser;
    const first = await make(engine, 'remover');
    const redone = await makeRedo(user, first.generationId);
    const paths = [
      `${redone.result?.mediaId}/content`,
      `${first.mediaId}/preview?width=320`,
      `${first.mediaId}/packs/amazon-main`,
      `${first.mediaId}/packs/transparent-png`,
    ];
    for (const path of paths) {
      const file = await read(await user.fetch(`/api/v1/media/${path}`));
      expect([path, typeOf(await readLabel(file))]).toEqual([path, 'algorithmicallyEnhanced']);
    }
    const run = await makeRun(user, { packs: ['amazon-main', 'transparent-png'] });
    await makeItem(user, run.id, { sku: 'M-01' });
    await waitForRun(user, run.id);
    for (const archive of [`runs/${run.id}`, 'media']) {
      const files = [...(await unzip(await user.fetch(`/api/v1/${archive}/archive`)))];
      const pictures = files.filter(([name]) => /\.(png|jpg)$/.test(name));
      expect(pictures.length).toBeGreaterThan(2);
      for (const [, file] of pictures) expect(await readLabel(file)).toContain('Iptc4xmpExt:AISystemUsed');
    }
    engine.provider.behave({});
  });

  it('does not keep a result from being the picture of the next generation, whose upload has none', async () => {
    const user = people.get(engine) as TestUser;
    const scene = await photo().resize(320, 240).png().toBuffer();
    engine.provider.behave({ file: (response) => Boolean(response.writeHead(200).end(scene)) });
    const { mediaId } = await make(engine, 'text-to-image');
    engine.provider.behave({});
    const form = new FormData();
    form.set('image', mediaId);
    const headers = { 'idempotency-key': randomBytes(8).toString('hex') };
    const answer = await user.fetch('/api/v1/tools/remover/generations', { method: 'POST', headers, body: form });
    expect(answer.status).toBe(202);
    expect((await waitForEnd(user, ((await answer.json()) as { id: string }).id)).status).toBe('succeeded');
    const sent = String(engine.provider.submits.at(-1)?.input.image_url);
    const upload = Buffer.from(sent.replace(/^data:image\/\w+;base64,/, ''), 'base64');
    expect(await sharp(upload).metadata()).toMatchObject({ format: 'png', width: 320 });
    expect((await sharp(upload).metadata()).xmp).toBeUndefined();
  });
});

const ORIGIN: Origin = {
  composes: 'scene',
  isBuiltIn: true,
  system: 'Plinth engine',
  at: new Date('2026-11-26T20:00:00.123Z'),
  manifests: undefined,
};
const signer = makeSigner(await makeSelfSigned(ORIGIN.at));
const label = async (file: Buffer, type: 'png' | 'mp4', origin = ORIGIN) =>
  labelResult(await checkResult(file, type, async () => []), origin, signer);

const words = { ImageDescription: 'SECRET', Artist: 'SECRET' };

describe('a labelled picture', () => {
  const foreign = '<x:xmpmeta xmlns:x="adobe:ns:meta/"><SECRET/></x:xmpmeta>';

  it('has the pixels and colours it had, and the label before them, uncompressed', async () => {
    const png = await photo().png().toBuffer();
    const { content } = await label(png, 'png');
    const pieces = splitPng(content);
    const data = (all: Piece[]) => Buffer.concat(all.filter(({ type }) => type === 'IDAT').map(({ body }) => body));
    expect(data(pieces).equals(data(splitPng(png)))).toBe(true);
    expect(inflateSync(data(pieces)).byteLength).toBe(30 * (1 + 40 * 3));
    expect(pieces.map(({ type }) => type).slice(0, 2)).toEqual(['IHDR', 'iTXt']);
    expect((await sharp(content).metadata()).density).toBe(300);
    // A strict reader accepts it, too.
    await sharp(content, { failOn: 'warning' }).stats();
  });

  it('says nothing else any more, whatever the provider wrote into it', async () => {
    const marked = () => photo().withExif({ IFD0: words }).withXmp(foreign);
    const png = await marked().png().toBuffer();
    const behind = Buffer.concat([png, Buffer.from('SECRET')]);
    for (const file of [png, behind, await marked().jpeg().toBuffer(), await marked().webp().toBuffer()]) {
      expect(file.includes('SECRET')).toBe(true);
      const { content } = await label(file, 'png');
      expect(content.includes('SECRET')).toBe(false);
      expect(splitPng(content).filter(({ type }) => /^([itz][TE]X[tT]|eXIf|tIME)$/.test(type))).toHaveLength(1);
    }
  });

  it('stands upright although it no longer says which way is up', async () => {
    const turned = await photo().withMetadata({ orientation: 6 }).png().toBuffer();
    expect((await sharp(turned).metadata()).orientation).toBe(6);
    const result = await label(turned, 'png');
    expect(result).toMatchObject({ width: 30, height: 40 });
    expect(await sharp(result.content).metadata()).toMatchObject({ width: 30, height: 40 });
  });

  it('has the same bytes each time, and a system with signs of XML in its name is written as it is', async () => {
    const png = await photo().png().toBuffer();
    const [one, other] = [await label(png, 'png'), await label(png, 'png')];
    expect(one.content.equals(other.content)).toBe(true);
    expect(one.sha256).toBe(other.sha256);
    const xmp = await readLabel((await label(png, 'png', { ...ORIGIN, system: 'a<b>&c' })).content);
    expect(systemOf(xmp)).toBe('a&#60;b&#62;&#38;c');
  });
});

describe('a labelled video', () => {
  it('streams as before: the same boxes at the same places, the label behind them', async () => {
    const clip = await makeClip();
    const { content } = await label(clip, 'mp4');
    const before = splitMp4(clip).map(({ type }) => type);
    expect(splitMp4(content).map(({ type }) => type)).toEqual([...before, 'uuid', 'uuid']);
    expect(readMp4(content)).toEqual(readMp4(clip));
    const played = (file: Buffer) => splitMp4(file).find(({ type }) => type === 'mdat')?.body;
    expect(played(content)).toEqual(played(clip));
  });

  it('of the built-in engine keeps its cover, and one of a provider, who may write anything there, does not', async () => {
    const cover = await photo().withExif({ IFD0: words }).jpeg().toBuffer();
    const clip = coverClip(await makeClip(), cover);
    const [own, given] = [await label(clip, 'mp4'), await label(clip, 'mp4', { ...ORIGIN, isBuiltIn: false })];
    expect(findCover(own.content)?.equals(cover)).toBe(true);
    expect(findCover(given.content)).toBeUndefined();
    expect(given.content.includes('SECRET')).toBe(false);
    for (const { content } of [own, given]) expect(readMp4(content)).toEqual(readMp4(clip));
  });

  it('says nothing else any more, and still plays where the last box reached to the end', async () => {
    const clip = await makeClip();
    const pieces = splitMp4(clip);
    const movie = pieces.find(({ type }) => type === 'moov')?.body ?? Buffer.alloc(0);
    const userData = makeBox('moov', movie, makeBox('udta', makeBox('meta', Buffer.from('SECRET prompt'))));
    const rest = pieces.filter(({ type }) => type !== 'moov').map(({ type, body }) => makeBox(type, body));
    // The movie box goes last, so that no offset changes.
    const file = Buffer.concat([...rest, makeBox('uuid', Buffer.alloc(20, 'SECRET')), userData]);
    file.writeUInt32BE(0, file.byteLength - userData.byteLength);
    const { content } = await label(file, 'mp4', { ...ORIGIN, isBuiltIn: false });
    expect(content.includes('SECRET')).toBe(false);
    expect(readMp4(content)).toEqual(readMp4(file));
    expect(typeOf(await readLabel(content))).toBe(TRAINED);
    expect(splitMp4(content).at(-3)?.type).toBe('moov');
  });

  it('that is damaged where nobody has looked yet is no result', async () => {
    const clip = await makeClip({ frames: 2 });
    const movie = clip.indexOf('moov');
    const checked = await checkResult(clip, 'mp4', async () => []);
    const damaged = Buffer.from(clip);
    damaged.writeUInt32BE(0x7f_ff_ff_ff, movie + 4);
    await expect(labelResult({ ...checked, content: damaged }, ORIGIN, signer)).rejects.toThrow(InvalidResultError);
  });
});

it('cut-outs show nothing new, try-ons and headshots a person, mock-ups and clips a scene', () => {
  const composed = (...ids: ToolId[]) => ids.map((id) => tools[id].composes);
  expect(composed('remover', 'dress-change', 'headshot-generator')).toEqual(['nothing', 'person', 'person']);
  expect(composed('text-to-image', 'image-to-video', 'basic-image-to-video')).toEqual(['scene', 'scene', 'scene']);
});
