// Crops and compresses the pictures of the public pages: web/pictures -> web/src/landing/pictures, AVIF and WebP in
// several widths. Names of cuts limit it to those. With --check it writes nothing and exits with 1 if a picture is
// stale.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { root } from './steps.mjs';

const originals = join(root, 'web', 'pictures');
const compressed = join(root, 'web', 'src', 'landing', 'pictures');
const stampPath = join(compressed, 'made-from.json');
const WIDTHS = [480, 768, 1024, 1680];
/** Side of one picture in a row, in pixels. */
const TILE = 192;

/** The crops and their originals, in pixels of the original. */
const CROPS = {
  'hero-mug-before': { from: '2-mug-before.jpg' },
  'hero-mug-after': { from: '2-mug-after.jpg' },
  'hero-serum-before': { from: '1-serum-before.jpg' },
  'hero-serum-after': { from: '1-serum-after.jpg' },
  'hero-candle-before': { from: '3-candle-before.jpg' },
  'hero-candle-after': { from: '3-candle-after.jpg' },
  // The picker's three pictures share one file, which saves requests.
  picks: {
    tiles: [
      { from: '3-candle-after.jpg', left: 322, top: 294, width: 1120, height: 1120 },
      { from: '2-mug-after.jpg', left: 357, top: 388, width: 1180, height: 1180 },
      { from: '1-serum-after.jpg', left: 84, top: 0, width: 1596, height: 1596 },
    ],
    widths: [3 * 128, 3 * TILE],
  },
  'scene-arches': { from: 'shown-arches.jpg' },
  'scene-candle': { from: 'shown-candle.jpg' },
  // Fur compresses badly, and the picture is small on the page.
  'cutout-teddy': { from: 'shown-teddy.webp', isTrimmed: true, widths: [320, 480], quality: 46 },
  'scene-dress': { from: 'shown-dress.jpg', left: 0, top: 80, width: 900, height: 900 },
  'study-marble': { from: 'shown-dropper.jpg', left: 0, top: 60, width: 900, height: 1125 },
  'study-table': { from: 'shown-mug.jpg', left: 0, top: 265, width: 1200, height: 675 },
  'study-window': { from: 'shown-candle.jpg', left: 0, top: 60, width: 1140, height: 1140 },
  'study-nursery': { from: 'shown-bear.jpg' },
  'study-leaves': { from: 'shown-leaves.jpg', left: 0, top: 60, width: 900, height: 1125 },
};
const FORMATS = {
  avif: (picture, quality = 58) => picture.avif({ quality, effort: 6 }),
  webp: (picture, quality = 58) => picture.webp({ quality: quality + 20, effort: 6, smartSubsample: true }),
};

const names = process.argv.slice(2);
if (names.includes('--check')) check();
else await compress(names.length === 0 ? Object.keys(CROPS) : names);

async function compress(names) {
  mkdirSync(compressed, { recursive: true });
  for (const name of names) {
    const cut = CROPS[name];
    for (const file of readdirSync(compressed)) if (file.startsWith(`${name}-`)) rmSync(join(compressed, file));
    const picture = await crop(cut);
    for (const width of await listWidths(picture, cut.widths ?? WIDTHS)) {
      for (const [format, encode] of Object.entries(FORMATS)) {
        const bytes = await encode(sharp(picture).resize({ width }), cut.quality).toBuffer();
        writeFileSync(join(compressed, `${name}-${width}.${format}`), bytes);
      }
    }
  }
  writeFileSync(stampPath, JSON.stringify(stamp(), null, 2) + '\n');
}

function check() {
  const isFresh = existsSync(stampPath) && readFileSync(stampPath, 'utf8') === JSON.stringify(stamp(), null, 2) + '\n';
  if (isFresh) return;
  console.error('The pictures of the public pages are stale: run node scripts/pictures.mjs');
  process.exitCode = 1;
}

/** Crops an original, without loss. `isTrimmed` removes a cut-out's empty edge. */
async function crop({ from, isTrimmed = false, left, top, width, height, tiles }) {
  if (tiles !== undefined) return joinTiles(tiles);
  const original = sharp(join(originals, from));
  if (isTrimmed) return original.trim().png().toBuffer();
  return (width === undefined ? original : original.extract({ left, top, width, height })).png().toBuffer();
}

async function joinTiles(tiles) {
  const small = async (cut) =>
    sharp(await crop(cut))
      .resize(TILE, TILE)
      .png()
      .toBuffer();
  const layers = await Promise.all(
    tiles.map(async (cut, at) => ({ input: await small(cut), left: at * TILE, top: 0 })),
  );
  const row = { width: tiles.length * TILE, height: TILE, channels: 3, background: '#fff' };
  return sharp({ create: row }).composite(layers).png().toBuffer();
}

/** Lists the wanted widths without enlargement. The cut's own width replaces larger ones. */
async function listWidths(picture, wanted) {
  const { width } = await sharp(picture).metadata();
  return [...new Set(wanted.map((one) => Math.min(one, width)))];
}

/** Returns fingerprints of the recipe, the originals and the results. */
function stamp() {
  const digest = (content) => createHash('sha256').update(content).digest('hex').slice(0, 16);
  const hash = (path) => digest(readFileSync(path));
  const list = (folder) => readdirSync(folder).filter((file) => /\.(jpg|png|avif|webp)$/.test(file));
  return {
    recipe: digest(JSON.stringify([WIDTHS, CROPS, Object.values(FORMATS).map(String)])),
    originals: Object.fromEntries(list(originals).map((file) => [file, hash(join(originals, file))])),
    packed: Object.fromEntries(list(compressed).map((file) => [file, hash(join(compressed, file))])),
  };
}
