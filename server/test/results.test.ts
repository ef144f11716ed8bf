import sharp, { type Sharp } from 'sharp';
import { describe, expect, it } from 'vitest';
import { checkResult, InvalidResultError } from '../src/media/results.ts';
import { makeClip } from './clip.ts';

/** Coarse shapes with noise, the same in every run, so that comparing two encodings does not depend on chance. */
function photo(hue: number): Sharp {
  const content = Buffer.alloc(320 * 240 * 3);
  let random = hue;
  for (let at = 0; at < content.length; at += 1) {
    random = (Math.imul(random, 1_103_515_245) + 12_345) >>> 0;
    const [x, y] = [Math.floor(at / 3) % 320, Math.floor(at / 960)];
    content[at] = Math.min(255, hue + 60 * Math.sin(x / 20) * Math.cos(y / 15) + (random / 2 ** 32) * 50);
  }
  return sharp(content, { raw: { width: 320, height: 240, channels: 3 } }).blur(2);
}
const flat = (alpha: number) =>
  sharp({ create: { width: 40, height: 30, channels: 4, background: { r: 9, g: 9, b: 9, alpha } } })
    .png()
    .toBuffer();
/** An alpha channel: opaque within a disc, else transparent. */
const drawDisc = (width: number, height: number) =>
  sharp(
    Buffer.from(
      `<svg width="${width}" height="${height}"><rect width="100%" height="100%"/><circle cx="50%" cy="50%" r="60" fill="#fff"/></svg>`,
    ),
  )
    .extractChannel(0)
    .png()
    .toBuffer();
const noUploads = async () => [];
const refuse = (content: Buffer, type: 'png' | 'mp4', uploads: Buffer[] = []) =>
  expect(checkResult(content, type, async () => uploads)).rejects.toBeInstanceOf(InvalidResultError);

describe('a picture from a provider', () => {
  it('stays unchanged as a PNG, and is converted to PNG otherwise', async () => {
    const png = await photo(100).png().toBuffer();
    expect((await checkResult(png, 'png', noUploads)).content).toBe(png);
    const webp = await checkResult(await photo(100).webp().toBuffer(), 'png', noUploads);
    expect(webp).toMatchObject({ contentType: 'image/png', width: 320, height: 240 });
    expect((await sharp(webp.content).metadata()).format).toBe('png');
  });

  it('that is fully transparent is rejected, a partly visible one is not', async () => {
    await refuse(await flat(0), 'png');
    expect((await checkResult(await flat(0.02), 'png', noUploads)).width).toBe(40);
  });

  it('that is black is rejected, but the cut-out of a black product is not', async () => {
    const black = sharp({ create: { width: 300, height: 200, channels: 3, background: '#050505' } });
    await refuse(await black.clone().png().toBuffer(), 'png');
    const logo = await black
      .joinChannel(await drawDisc(300, 200))
      .png()
      .toBuffer();
    expect((await checkResult(logo, 'png', noUploads)).width).toBe(300);
    const bit = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#000' } })
      .joinChannel(await drawDisc(300, 200))
      .png()
      .toBuffer();
    expect((await checkResult(bit, 'png', noUploads)).height).toBe(200);
  });

  it('that equals the upload is rejected, in any file format', async () => {
    const upload = await photo(100).jpeg({ quality: 95 }).toBuffer();
    await refuse(upload, 'png', [upload]);
    await refuse(await sharp(upload).png().toBuffer(), 'png', [await flat(1), upload]);
    await refuse(await sharp(upload).jpeg({ quality: 85 }).toBuffer(), 'png', [upload]);
  });

  it('that differs from the upload, in a corner or in its transparency, is a result', async () => {
    const upload = await photo(100).jpeg({ quality: 95 }).toBuffer();
    const patch = await sharp({ create: { width: 30, height: 30, channels: 3, background: '#ff0000' } })
      .png()
      .toBuffer();
    const edited = await sharp(upload)
      .composite([{ input: patch, left: 4, top: 4 }])
      .png()
      .toBuffer();
    expect((await checkResult(edited, 'png', async () => [upload])).width).toBe(320);
    const cutOut = await sharp(upload).ensureAlpha(0.5).png().toBuffer();
    expect((await checkResult(cutOut, 'png', async () => [upload])).width).toBe(320);
  });

  it('that is partly transparent is compared with no upload', async () => {
    const rejectRead = () => Promise.reject(new Error('was asked'));
    expect((await checkResult(await flat(0.5), 'png', rejectRead)).width).toBe(40);
  });

  it('is not called unusable because the uploads cannot be read now', async () => {
    const away = new Error('the storage is away');
    await expect(checkResult(await photo(100).png().toBuffer(), 'png', () => Promise.reject(away))).rejects.toBe(away);
  });

  it('that is a video, a document or truncated is rejected', async () => {
    const png = await photo(100).png().toBuffer();
    await refuse(await makeClip(), 'png');
    await refuse(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'), 'png');
    await refuse(png.subarray(0, png.byteLength / 2), 'png');
    await refuse(Buffer.alloc(0), 'png');
  });
});

describe('a video from a provider', () => {
  it('is kept byte for byte, with its dimensions', async () => {
    const clip = await makeClip({ width: 96, height: 64 });
    const checked = await checkResult(clip, 'mp4', noUploads);
    expect(checked).toMatchObject({ contentType: 'video/mp4', width: 96, height: 64 });
    expect(checked.content).toBe(clip);
  });

  it('that is still or black is rejected', async () => {
    await refuse(await makeClip({ isMoving: false }), 'mp4');
    await refuse(await makeClip({ isBlack: true, width: 320, height: 240 }), 'mp4');
  });

  it('that is too short to judge is accepted', async () => {
    expect((await checkResult(await makeClip({ frames: 4, isMoving: false }), 'mp4', noUploads)).height).toBe(48);
  });

  it('that is a picture, a text, truncated or damaged is rejected', async () => {
    const clip = await makeClip();
    await refuse(await flat(1), 'mp4');
    await refuse(Buffer.from('hello, this is not a video'), 'mp4');
    for (const share of [0.1, 0.5, 0.9, 0.999]) {
      await refuse(clip.subarray(0, Math.floor(clip.byteLength * share)), 'mp4');
    }
    const noMovie = Buffer.from(clip);
    noMovie.write('free', noMovie.indexOf('moov'), 'latin1');
    await refuse(noMovie, 'mp4');
    const sound = Buffer.from(clip);
    sound.write('soun', sound.indexOf('vide', sound.indexOf('hdlr')), 'latin1');
    await refuse(sound, 'mp4');
  });

  it('survives any corrupted byte', async () => {
    const clip = await makeClip({ frames: 2 });
    for (let at = 0; at < clip.byteLength; at += 7) {
      const damaged = Buffer.from(clip);
      damaged[at] = (damaged[at] ?? 0) ^ 0xff;
      await checkResult(damaged, 'mp4', noUploads).catch((error: unknown) => {
        expect(error).toBeInstanceOf(InvalidResultError);
      });
    }
  });
});
