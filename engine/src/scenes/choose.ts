// Which scene a brief gets.
import type { Brief } from './brief.ts';
import { getPlate, loadPlate, rankPlates, standardPlateId, type Plate, type PlatePictures } from './plates.ts';
import { paintRecipe, rankRecipes } from './recipes.ts';

export interface Chosen {
  plate: Plate;
  load: () => Promise<PlatePictures>;
}

const NEARLY_AS_GOOD = 0.7;

/** The best plate for the words; a painted recipe for words that only a recipe knows; else the studio. */
export function chooseScene(brief: Brief, take: number, seed: number): Chosen {
  const plates = rankPlates(brief);
  const best = plates[0];
  const recipe = rankRecipes(brief)[0];
  if (recipe && recipe.score > (best?.score ?? 0)) return paintRecipe(recipe.id, brief, seed);
  const alike = best ? plates.filter(({ score }) => score >= NEARLY_AS_GOOD * best.score) : [];
  const id = alike[take % Math.max(1, alike.length)]?.id ?? standardPlateId();
  return { plate: getPlate(id), load: () => loadPlate(id) };
}
