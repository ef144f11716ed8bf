// Draws the favicons and the social preview into web/public. With --check it writes nothing and exits with 1 if one of
// them is stale.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { root } from './steps.mjs';

const folder = join(root, 'web', 'public');
const light = { wall: '#f1f1ef', ink: '#171918', ball: '#12905b' };
const dark = { wall: '#131514', ink: '#f1f2ef', ball: '#38bf83' };

// The logo's mark in a view box of 24 x 26.
const BALL = 'cx="12.5" cy="8.5" r="8.5"';
const COLUMN = 'M4 8.5h6.5V26H4z';
// "Plinth" in Instrument Sans (SIL Open Font License 1.1) at weight 620 and tracking -0.03 em, 1000 units per em, with
// the baseline at 0. A path looks the same on a machine without the font.
const WORDMARK =
  'M60 0V-720H387Q466 -720 522 -693Q579 -666 610 -616Q640 -567 640 -500Q640 -434 609 -384Q578 -334 522 -306Q465 -278 387 -278H165V-384H380Q440 -384 473 -415Q506 -446 506 -500Q506 -553 473 -584Q440 -614 380 -614H194V0ZM703 0V-720H835V0ZM935 0V-510H1067V0ZM930 -591V-735H1072V-591ZM1167 0V-510H1295V-390H1299V0ZM1525 0V-321Q1525 -367 1501 -390Q1478 -413 1433 -413Q1394 -413 1363 -396Q1333 -378 1316 -347Q1299 -316 1299 -275L1286 -397Q1311 -453 1361 -487Q1411 -520 1481 -520Q1564 -520 1610 -473Q1656 -426 1656 -348V0ZM1983 10Q1889 10 1844 -35Q1798 -80 1798 -170V-625L1930 -674V-167Q1930 -131 1950 -113Q1969 -95 2012 -95Q2028 -95 2042 -98Q2055 -101 2067 -105V-3Q2055 3 2033 7Q2011 10 1983 10ZM1701 -408V-510H2067V-408ZM2130 0V-720H2262V0ZM2488 0V-321Q2488 -367 2464 -390Q2441 -413 2396 -413Q2357 -413 2326 -396Q2296 -378 2279 -347Q2262 -316 2262 -275L2249 -397Q2274 -453 2324 -487Q2374 -520 2444 -520Q2527 -520 2573 -473Q2619 -426 2619 -348V0Z';

/** Draws the mark centred in a square of 32. `followsTheme` adds the browser's dark theme. */
function drawIcon({ radius, followsTheme }) {
  const style = (of) => `.w{fill:${of.wall}}.i{fill:${of.ink}}.d{fill:${of.ball}}`;
  const darkStyle = followsTheme ? `@media(prefers-color-scheme:dark){${style(dark)}}` : '';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><style>${style(light)}${darkStyle}</style><rect class="w" width="32" height="32" rx="${radius}"/><g transform="translate(3.5 3)"><circle class="d" ${BALL}/><path class="i" d="${COLUMN}"/></g></svg>\n`;
}

const toPng = (svg, side) =>
  sharp(Buffer.from(svg), { density: (72 * side) / 32 })
    .resize(side, side)
    .png({ compressionLevel: 9 })
    .toBuffer();

/** Wraps one PNG in an .ico: a header of 6 bytes, an entry of 16, the picture. */
function wrapIco(png, side) {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.writeUInt8(side, 6);
  head.writeUInt8(side, 7);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(png.byteLength, 14);
  head.writeUInt32LE(head.byteLength, 18);
  return Buffer.concat([head, png]);
}

const SOCIAL = { width: 1200, height: 630, picture: 640 };

/** Draws the social preview: the still life on the right, the lockup at the lower left. */
async function drawSocial() {
  const { width, height, picture } = SOCIAL;
  // The lockup has the proportions of the page's header, 3.6 times as large.
  const lockup = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><g transform="translate(56 ${height - 56 - 94}) scale(3.6)"><circle fill="${light.ball}" ${BALL}/><g fill="${light.ink}"><path d="${COLUMN}"/><g transform="translate(33 20) scale(.02)"><path d="${WORDMARK}"/></g></g></g></svg>`;
  const still = await sharp(join(root, 'web', 'pictures', 'garden.jpg'))
    .resize(picture)
    .extract({ left: 0, top: 114, width: picture, height })
    .toBuffer();
  return sharp({ create: { width, height, channels: 3, background: light.wall } })
    .composite([
      { input: still, left: width - picture, top: 0 },
      { input: Buffer.from(lockup), left: 0, top: 0 },
    ])
    .png({ compressionLevel: 9 })
    .toBuffer();
}

async function drawAll() {
  const icon = drawIcon({ radius: 6, followsTheme: false });
  return {
    'favicon.svg': Buffer.from(drawIcon({ radius: 6, followsTheme: true })),
    'favicon.ico': wrapIco(await toPng(icon, 32), 32),
    // Square corners, because iOS rounds them.
    'apple-touch-icon.png': await toPng(drawIcon({ radius: 0, followsTheme: false }), 180),
    'social.png': await drawSocial(),
  };
}

/** True if both have the same pixels. Another build of the libraries may encode them to other bytes. */
async function isSame(name, drawn) {
  let kept;
  try {
    kept = readFileSync(join(folder, name));
  } catch {
    return false;
  }
  if (kept.equals(drawn)) return true;
  if (!name.endsWith('.png')) return false;
  const [a, b] = await Promise.all([kept, drawn].map((png) => sharp(png).raw().toBuffer()));
  return a.length === b.length && a.every((value, at) => Math.abs(value - b[at]) <= 8);
}

const stale = [];
for (const [name, drawn] of Object.entries(await drawAll())) {
  if (await isSame(name, drawn)) continue;
  stale.push(name);
  if (!process.argv.includes('--check')) writeFileSync(join(folder, name), drawn);
}
if (process.argv.includes('--check') && stale.length > 0) {
  console.error(`Stale in web/public: ${stale.join(', ')}. Run node scripts/icons.mjs.`);
  process.exitCode = 1;
}
