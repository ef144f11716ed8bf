// Which scene a brief gets.
import type { Brief } from './brief.ts';
import { getPlate, loadPlate, rankPlates, standardPlateId, type Plate, type PlatePictures } from './plates.ts';

export interface Chosen {
  plate: Plate;
  load: () => Promise<PlatePictures>;
}

const NEARLY_AS_GOOD = 0.7;

/** The best plate for the words; unknown words get the studio. */
export function chooseScene(brief: Brief, take: number): Chosen {
  const plates = rankPlates(brief);
  const best = plates[0];
  const alike = best ? plates.filter(({ score }) => score >= NEARLY_AS_GOOD * best.score) : [];
  const id = alike[take % Math.max(1, alike.length)]?.id ?? standardPlateId();
  return { plate: getPlate(id), load: () => loadPlate(id) };
}
