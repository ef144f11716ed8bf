/** Detects what a person wears, by our second network and its card. */
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { namedFile } from '../cutout/card.ts';
import { solveEdges } from '../cutout/edges.ts';
import { checkAlpha, openByCard, readPlanes } from '../cutout/network-file.ts';
import { toPlanes } from '../cutout/passes.ts';
import { once } from '../once.ts';
import { squeezeRgb } from '../pixels/decode.ts';
import { makePlane, type Plane, type Rgb } from '../pixels/plane.ts';
import { resizePlane } from '../pixels/sample.ts';

const CARD = fileURLToPath(new URL('../../assets/worn/worn.json', import.meta.url));
const STEP = 32; // pixels: input sides are multiples of it

const cardShape = z.object({
  ...namedFile,
  bytes: z.int().positive(),
  looks: z.array(z.object({ side: z.int().min(STEP).max(1024).multipleOf(STEP) })).min(1),
});

/** Alpha 0..1 of the picture's size, with the network's soft edges. */
export type Worn = {
  person: Plane;
  /** The garment on the upper body, including dresses. */
  upper: Plane;
  lower: Plane;
  /** Pixels of the picture per pixel of the network's largest input: edges may be off by as much. */
  scale: number;
};

/** Makes a reader for the network of the card at this path, which is loaded once. @throws BadNetwork */
export function makeWornReader(cardPath = CARD) {
  const getNetwork = once(() => load(cardPath));
  return async (picture: Rgb): Promise<Worn> => {
    const { sides, infer } = await getNetwork();
    const parts = [makePlane(picture), makePlane(picture), makePlane(picture)] as const;
    for (const side of sides) {
      const data = await infer(await squeezeRgb(picture, { width: side, height: side }));
      for (const [n, part] of parts.entries()) {
        const small = { width: side, height: side, data: data.subarray(n * side * side, (n + 1) * side * side) };
        const full = resizePlane(small, picture).data;
        for (let i = 0; i < full.length; i += 1) part.data[i]! += full[i]! / sides.length;
      }
    }
    const scale = Math.max(picture.width, picture.height) / Math.max(...sides);
    return { person: parts[0], upper: parts[1], lower: parts[2], scale };
  };
}

/** Shared by the whole process. */
export const readWorn = makeWornReader();

/** Refines the outline of a worn part along the picture's edges. */
export function sharpenWorn(picture: Rgb, part: Plane, { scale }: Pick<Worn, 'scale'>): Plane {
  return solveEdges(picture, { alpha: part, scale: Math.max(1, scale) });
}

async function load(cardPath: string) {
  const { card, run } = await openByCard(cardPath, cardShape);
  const infer = async (picture: Rgb): Promise<Float32Array> => {
    const { parts } = await run({ image: toPlanes(picture) }, picture);
    const data = readPlanes(parts, 3, picture);
    checkAlpha(data);
    return data;
  };
  return { sides: card.looks.map(({ side }) => side), infer };
}
