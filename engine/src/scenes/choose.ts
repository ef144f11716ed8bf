import { type Brief } from '../words/brief.ts';
import { wantsWhite } from './light.ts';
import { getPlate, rankPlates, STANDARD_PLATES, type Plate } from './plates.ts';
import { reportUnderstood, weighMissing } from '../words/report.ts';

const WIDE = 2400; // pixels per metre at the front of the floor: tables and benches have more
const NEARLY_AS_GOOD = 0.7; // of the best score
const ALL_DRAWN = 0.4; // of the best score: least score of a set that draws every word of the prompt
const LEADING = 0.65; // least score of a set that is related to the words but shows none of them
/** Of the best eye-level score: least score of a top view for a lying product. */
const LYING = { surely: 0.3, likely: 0.65 };

/** How sure it is that the product lies: it could not stand, or its photo seems to be taken from above. */
export type Lying = keyof typeof LYING;

/**
 * Chooses a plate by the words: of those that score nearly best, the one that draws most of them; if none draws any, a
 * related one ("garage": a workshop), else the studio. A variation picks another match, if there is one. White has no
 * variations: neither snow nor marble is a white wall.
 *
 * @param lying asks for a top view; overridden by words about the view or that eye-level plates match better
 */
export function chooseScene(brief: Brief, lying?: Lying, variation?: number): Plate {
  const first = brief.view ?? (lying && canLie(brief, lying) ? 'above' : 'eye');
  let alike = listAlike(brief, first);
  if (alike.length === 0 && !brief.view) alike = listAlike(brief, 'eye');
  const turns = variation !== undefined && alike.length > 1 && !wantsWhite(brief);
  return alike[turns ? 1 + (variation % (alike.length - 1)) : 0] ?? getPlate(findLead(brief, first));
}

/**
 * The plates of a view that score nearly best and draw some of the words, those that draw most first; for a large
 * product a wide view first. If none of them draws all words, a lower-scoring one that does is the only choice.
 */
function listAlike(brief: Brief, view: Plate['view']): Plate[] {
  const ranked = rankPlates(brief, view);
  const told = ranked
    .map(({ id, score }) => ({ plate: getPlate(id), fit: score / ranked[0]!.score }))
    .filter(({ fit }) => fit >= ALL_DRAWN)
    .map((one) => ({ ...one, ...reportUnderstood(brief, one.plate), missing: weighMissing(brief, one.plate) }))
    .filter(({ understood }) => understood.length > 0);
  const alike = told.filter(({ plate, fit }) => fit >= NEARLY_AS_GOOD || suits(plate, brief));
  const whole = told.find(({ notDrawn }) => notDrawn.length === 0);
  if (whole && !alike.includes(whole)) return [whole.plate];
  const letters = ({ notDrawn }: (typeof told)[number]) => notDrawn.join('').length;
  const suited = ({ plate }: (typeof told)[number]) => Number(suits(plate, brief));
  if (!brief.wantsPlainWall || !wantsWhite(brief))
    alike.sort((a, b) => a.missing - b.missing || suited(b) - suited(a) || letters(a) - letters(b));
  return alike.map(({ plate }) => plate);
}

/** True for a road or a whole floor below a large product: an armchair does not belong on a table. */
const suits = ({ floor }: Plate, { product }: Brief): boolean => product === 'large' && floor[0] < WIDE;

function findLead(brief: Brief, view: Plate['view']): string {
  const [best] = rankPlates(brief, view);
  return best && best.score >= LEADING ? best.id : STANDARD_PLATES[view];
}

/** True if a top view matches the words well enough. */
function canLie(brief: Brief, lying: Lying): boolean {
  const [above, eye] = (['above', 'eye'] as const).map((view) => rankPlates(brief, view)[0]?.score ?? 0);
  return above! >= LYING[lying] * eye!;
}
