import sharp, { type Sharp } from 'sharp';
import { fromRaster, type Raster, toRaster } from './raster.ts';

type Size = { width: number; height: number };

/** Of the frame's long side: blurs of the extension, and the distance over which each sets in. */
const BLURS = [
  { sigma: 0.012, seam: 0.02 },
  { sigma: 0.06, seam: 0.16 },
];
/** Side in pixels at which the extension is blurred. */
const BLUR_SIDE = 400;
/** Of a picture's side: depth of the mirrored strip. Deeper, the product would appear a second time. */
const DEPTH_SHARE = 0.05;

/** Centres the picture at `size` in a larger frame; beyond its edges what is next to them is stretched and blurred. */
export async function continueEdges(picture: Sharp, size: Size, frame: Size): Promise<Raster> {
  const width = Math.min(frame.width, Math.round(size.width));
  const height = Math.min(frame.height, Math.round(size.height));
  const resized = await toRaster(picture.resize(width, height, { fit: 'fill' }).removeAlpha());
  if (width === frame.width && height === frame.height) return resized;
  const left = Math.floor((frame.width - width) / 2);
  const top = Math.floor((frame.height - height) / 2);
  const extended = extend(resized, frame, left, top);
  const longer = Math.max(frame.width, frame.height);
  const inside = { left, top, right: left + width, bottom: top + height };
  for (const { sigma, seam } of BLURS) blend(extended, await blur(extended, sigma), inside, longer * seam);
  return extended;
}

/** Blurs a small copy, which takes a fraction of the time. `sigma`: of the long side. */
async function blur(picture: Raster, sigma: number): Promise<Raster> {
  const { width, height } = picture;
  const small = fromRaster(picture).resize(BLUR_SIDE, BLUR_SIDE, { fit: 'inside', withoutEnlargement: true });
  const { data, info } = await small.raw().toBuffer({ resolveWithObject: true });
  const blurred = sharp(data, { raw: info }).blur(Math.max(0.5, sigma * Math.max(info.width, info.height)));
  return toRaster(sharp(await blurred.raw().toBuffer(), { raw: info }).resize(width, height, { fit: 'fill' }));
}

function extend({ data, width, height, channels }: Raster, frame: Size, left: number, top: number): Raster {
  const columns = mapAxis(frame.width, left, width);
  const rows = mapAxis(frame.height, top, height);
  const out = new Uint8Array(frame.width * frame.height * channels);
  let at = 0;
  for (const row of rows)
    for (const column of columns) {
      const from = (row * width + column) * channels;
      for (let c = 0; c < channels; c += 1) out[at + c] = data[from + c] ?? 0;
      at += channels;
    }
  return { data: out, width: frame.width, height: frame.height, channels };
}

/** The source of each pixel of an axis: beyond the edges mirrored ever more slowly, never deeper than DEPTH_SHARE. */
function mapAxis(length: number, start: number, size: number): number[] {
  const maxDepth = Math.max(1, DEPTH_SHARE * size);
  const depthAt = (distance: number) => Math.floor(maxDepth * (1 - Math.exp(-distance / maxDepth)));
  return Array.from({ length }, (_, at) => {
    if (at < start) return Math.min(size - 1, depthAt(start - at - 0.5));
    if (at >= start + size) return Math.max(0, size - 1 - depthAt(at - start - size + 0.5));
    return at - start;
  });
}

/** Keeps the inside and blurs the outside, blending over `seam` pixels. */
function blend(
  picture: Raster,
  blurred: Raster,
  inside: { left: number; top: number; right: number; bottom: number },
  seam: number,
): void {
  const { data, width, height } = picture;
  for (let y = 0, at = 0; y < height; y += 1) {
    const distanceY = Math.max(inside.top - y, y - inside.bottom + 1, 0);
    for (let x = 0; x < width; x += 1, at += 3) {
      const distance = Math.max(distanceY, inside.left - x, x - inside.right + 1);
      if (distance <= 0) continue;
      const share = Math.min(1, distance / seam);
      for (let c = 0; c < 3; c += 1) {
        data[at + c] = Math.round((data[at + c] ?? 0) * (1 - share) + (blurred.data[at + c] ?? 0) * share);
      }
    }
  }
}
