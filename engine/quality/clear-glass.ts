// How well clear glass is found and let through again, against true cover and true colours.
import { findGlass, type Glass } from '../src/matting/glass.ts';
import { paintGlass } from '../src/matting/full-size.ts';
import { readSample } from './composites.ts';
import { VESSEL_NAMES, drawGlass, readPlate, type GlassSample } from './glasses.ts';

export interface GlassRow {
  name: string;
  wasFound: boolean;
  /** Of what is covered at all (alpha above .05). */
  iou: number;
  /** Mean absolute error of alpha over the whole picture. */
  mae: number;
  /** The same where the true glass is. */
  inside: number;
  /** Mean difference of the glass laid on another background from the truth, in grey levels of 255; only where its colours are known. */
  composite?: number;
  milliseconds: number;
}

const COVERED = 0.05;
const SIDE = 1024;

export async function measureGlasses(): Promise<GlassRow[]> {
  const rows = [await measureGlass('wineglass photo', await readSample('wineglass', SIDE))];
  for (const name of VESSEL_NAMES) rows.push(await measureGlass(`${name}, drawn`, await drawGlass(name)));
  return rows;
}

async function measureGlass(name: string, sample: GlassSample): Promise<GlassRow> {
  const started = performance.now();
  const glass = await findGlass(sample.picture);
  const milliseconds = performance.now() - started;
  const alpha = glass?.alpha ?? new Float32Array(sample.alpha.length);
  let [both, either, error, inside, count] = [0, 0, 0, 0, 0];
  for (let i = 0; i < alpha.length; i += 1) {
    const is = alpha[i]! > COVERED;
    const should = sample.alpha[i]! > COVERED;
    if (is && should) both += 1;
    if (is || should) either += 1;
    const difference = Math.abs(alpha[i]! - sample.alpha[i]!);
    error += difference;
    if (!should) continue;
    inside += difference;
    count += 1;
  }
  const figures = { iou: both / either, mae: error / alpha.length, inside: inside / count };
  const row = { name, wasFound: glass !== undefined, milliseconds, ...figures };
  return glass && sample.front ? { ...row, composite: await compareOnOther(glass, sample, sample.front) } : row;
}

/** On marble, which no vessel was drawn on. */
async function compareOnOther(glass: Glass, { picture, alpha }: GlassSample, front: Uint8Array): Promise<number> {
  const other = await readPlate('marble-podium', picture.width, picture.height);
  const own = { ...picture, rgb: picture.rgb.slice() };
  const cover = paintGlass(own, picture, glass);
  let [sum, count] = [0, 0];
  for (let i = 0; i < alpha.length; i += 1) {
    if (alpha[i]! <= COVERED) continue;
    for (let c = i * 3; c < i * 3 + 3; c += 1) {
      const is = (own.rgb[c]! * cover[i]! + other[c]! * (255 - cover[i]!)) / 255;
      const should = front[c]! * alpha[i]! + other[c]! * (1 - alpha[i]!);
      sum += Math.abs(is - should);
      count += 1;
    }
  }
  return sum / Math.max(1, count);
}

const LEAST_IOU = 0.94;
/** Alpha inside, and grey levels on another background; a haze of the drawn tumbler before a dark wall is taken for half a cover. */
const MOST: Record<string, { inside: number; composite: number }> = {
  'tumbler, drawn': { inside: 0.22, composite: 36 },
};
const MOST_ELSEWHERE = { inside: 0.13, composite: 10 };
const MOST_MAE = 0.032;

/** Sentences about every glass that falls short; empty when all is well. */
export function findGlassShortcomings(rows: GlassRow[]): string[] {
  return rows.flatMap((row) => {
    if (!row.wasFound) return [`${row.name}: not found`];
    const most = MOST[row.name] ?? MOST_ELSEWHERE;
    const faults: [boolean, string][] = [
      [row.iou < LEAST_IOU, `overlap ${row.iou.toFixed(3)} below ${LEAST_IOU}`],
      [row.mae > MOST_MAE, `alpha off by ${row.mae.toFixed(3)}, more than ${MOST_MAE}`],
      [row.inside > most.inside, `alpha inside off by ${row.inside.toFixed(3)}, more than ${most.inside}`],
      [
        (row.composite ?? 0) > most.composite,
        `${row.composite?.toFixed(1)} grey levels off on marble, more than ${most.composite}`,
      ],
    ];
    return faults.filter(([isFault]) => isFault).map(([, fault]) => `${row.name}: ${fault}`);
  });
}
