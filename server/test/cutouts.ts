import { join, resolve } from 'node:path';
import sharp from 'sharp';

/** Cut-outs of every kind as PNGs, at any scale; named by their product. */

const PICTURES = resolve(import.meta.dirname, '..', '..', 'engine', 'quality', 'pictures');
const SIDE = 1400;
const PHOTO_SIDE = 2000;

function draw(shapes: string, scale = 1, side = SIDE): Promise<Buffer> {
  const size = `width="${side * scale}" height="${side * scale}" viewBox="0 0 ${side} ${side}"`;
  return sharp(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${size}>${shapes}</svg>`))
    .png()
    .toBuffer();
}

/** One of the engine's own photos, cut out by its true mask. */
export async function readCutout(name: string, scale = 1): Promise<Buffer> {
  const size = { width: PHOTO_SIDE * scale, height: PHOTO_SIDE * scale, fit: 'inside' } as const;
  const { data, info } = await sharp(join(PICTURES, `${name}.mask.png`))
    .resize(size)
    .toColourspace('b-w')
    .extractChannel(0)
    .raw()
    .toBuffer({ resolveWithObject: true });
  const raw = { width: info.width, height: info.height, channels: 1 } as const;
  const photo = await sharp(join(PICTURES, `${name}.jpg`))
    .resize(info.width, info.height)
    .removeAlpha()
    .toBuffer();
  return sharp(photo).joinChannel(data, { raw }).png().toBuffer();
}

export const readPhoto = (name: string, width = SIDE): Promise<Buffer> =>
  sharp(join(PICTURES, `${name}.jpg`))
    .resize(width, width, { fit: 'inside' })
    .jpeg({ quality: 92 })
    .toBuffer();

const blur = (amount: number) => `<filter id="b"><feGaussianBlur stdDeviation="${amount}"/></filter>`;

export const cutouts: Record<string, (scale?: number) => Promise<Buffer>> = {
  'a mug': (scale) => readCutout('mug', scale),
  'a kettle that shines': (scale) => readCutout('kettle', scale),
  'a teddy with fur': (scale) => readCutout('teddy', scale),
  'a glass': (scale) => readCutout('wineglass', scale),
  'a hard circle': (scale) => draw('<circle cx="700" cy="700" r="520" fill="#c03030"/>', scale),
  'a product that touches all edges': (scale) =>
    draw('<circle cx="550" cy="550" r="550" fill="#3060a0"/>', scale, 1100),
  'a square box': (scale) => draw('<rect x="100" y="100" width="1100" height="1100" fill="#3060a0"/>', scale),
  'a tall thin thing': (scale) => draw('<rect x="600" y="60" width="120" height="1280" fill="#207040"/>', scale),
  'a wide thin thing': (scale) => draw('<rect x="60" y="600" width="1280" height="120" fill="#704020"/>', scale),
  'a white cup': (scale) =>
    draw('<circle cx="700" cy="700" r="560" fill="#fdfdfd" stroke="#e8e8e8" stroke-width="8"/>', scale),
  'a product that is nearly white': (scale) => draw('<circle cx="700" cy="700" r="560" fill="#fbfbfb"/>', scale),
  'soft edges': (scale) =>
    draw(`${blur(12)}<circle cx="700" cy="700" r="480" fill="#203090" filter="url(#b)"/>`, scale),
  'a soft shadow below': (scale) =>
    draw(
      `${blur(30)}<ellipse cx="700" cy="1180" rx="420" ry="60" fill="#000000" opacity="0.3" filter="url(#b)"/>
      <rect x="330" y="200" width="740" height="980" fill="#b08040"/>`,
      scale,
    ),
  'a pair': (scale) =>
    draw(
      `<circle cx="380" cy="700" r="330" fill="#903060"/><circle cx="1080" cy="700" r="300" fill="#309060"/>`,
      scale,
    ),
  'a ring with a hole': (scale) =>
    draw('<circle cx="700" cy="700" r="500" fill="none" stroke="#c0a020" stroke-width="90"/>', scale),
  'haze far from the product': (scale) =>
    draw(
      `<circle cx="600" cy="800" r="450" fill="#604080"/><rect x="40" y="20" width="9" height="600" fill="#000" opacity="0.06"/>`,
      scale,
    ),
  'crumbs around it': (scale) =>
    draw(
      `<circle cx="700" cy="700" r="480" fill="#405060"/><rect x="30" y="40" width="6" height="6" fill="#111"/>
      <rect x="1300" y="1300" width="9" height="5" fill="#811"/>`,
      scale,
    ),
  'all colours at once': async (scale = 1) => {
    const side = 1100 * scale;
    const data = Buffer.alloc(side * side * 4);
    for (let at = 0; at < data.length; at += 1) data[at] = at % 4 === 3 ? 255 : (at * 7919 + (at >> 7) * 104_729) & 255;
    const noise = await sharp(data, { raw: { width: side, height: side, channels: 4 } })
      .png()
      .toBuffer();
    const margin = 40 * scale;
    const around = { top: margin, bottom: margin, left: margin, right: margin };
    return sharp(noise)
      .extend({ ...around, background: '#00000000' })
      .png()
      .toBuffer();
  },
};

/** Pictures without transparency. */
export const scenes: Record<string, () => Promise<Buffer>> = {
  'a photo': async () =>
    sharp(await readPhoto('mug'))
      .png()
      .toBuffer(),
  'a wide photo': async () =>
    sharp(await readPhoto('kettle'))
      .resize(1600, 900, { fit: 'cover' })
      .png()
      .toBuffer(),
  'a tall photo': async () =>
    sharp(await readPhoto('candle'))
      .resize(1040, 1500, { fit: 'cover' })
      .png()
      .toBuffer(),
  'a photo in a black frame': async () =>
    sharp(await readPhoto('mug', 1300))
      .extend({ top: 40, bottom: 40, left: 40, right: 40, background: '#000000' })
      .png()
      .toBuffer(),
  'one colour': () => draw('<rect width="1400" height="1400" fill="#20a060"/>'),
  'a photo with an alpha that lets nothing through': async () =>
    sharp(await readPhoto('teddy'))
      .ensureAlpha()
      .png()
      .toBuffer(),
};
