import { type Brief } from '../words/brief.ts';
import { wantsWhite } from './light.ts';
import { getPlate, rankPlates, STANDARD_PLATES, type Plate } from './plates.ts';
import { reportUnderstood } from '../words/report.ts';

const NEARLY_AS_GOOD = 0.7; // of the best score
const ALL_DRAWN = 0.4; // of it: so well a set has to fit that draws all that is said
const LEADING = 0.65; // a score from which a set is near to the words, though it shows nothing of them
const LYING = 0.3; // of the best score: what lies stands in no set that is seen from the side

/**
 * The plate for the words that draws most of them, of those that fit nearly as well as the best; where none shows
 * anything of them, the one that they lead to ("garage": a workshop), or else the studio. A variation shows another
 * one, where there is one; of white there is none: snow is no white wall, nor is marble.
 *
 * @param lies it is seen from above; words about the view win over it, and words that only other plates know or draw
 */
export function chooseScene(brief: Brief, lies = false, variation?: number): Plate {
  const first = brief.view ?? (lies && canLie(brief) ? 'above' : 'eye');
  let alike = listAlike(brief, first);
  if (alike.length === 0 && !brief.view) alike = listAlike(brief, 'eye');
  const turns = variation !== undefined && alike.length > 1 && !wantsWhite(brief);
  return alike[turns ? 1 + (variation % (alike.length - 1)) : 0] ?? getPlate(findLead(brief, first));
}

/**
 * The plates that fit nearly as well as the best of their view and draw something of the words; most of it first, for
 * what is large the widest view. Where none of them draws all, one that does and fits well enough stands alone.
 */
function listAlike(brief: Brief, view: Plate['view']): Plate[] {
  const ranked = rankPlates(brief, view);
  const told = ranked
    .map(({ id, score }) => ({ plate: getPlate(id), fit: score / ranked[0]!.score }))
    .filter(({ fit }) => fit >= ALL_DRAWN)
    .map((one) => ({ ...one, ...reportUnderstood(brief, one.plate) }))
    .filter(({ understood }) => understood.length > 0);
  const alike = told.filter(({ fit }) => fit >= NEARLY_AS_GOOD);
  const whole = told.find(({ notDrawn }) => notDrawn.length === 0);
  if (whole && !alike.includes(whole)) return [whole.plate];
  if (!wantsWhite(brief)) alike.sort((one, other) => one.notDrawn.join('').length - other.notDrawn.join('').length);
  if (brief.product === 'large') alike.sort((one, other) => pixelsPerMetre(one.plate) - pixelsPerMetre(other.plate));
  return alike.map(({ plate }) => plate);
}

/** Where things stand: an armchair belongs on the floor of a room that is seen whole rather than on its table. */
const pixelsPerMetre = ({ floor }: Plate): number => floor[0];

function findLead(brief: Brief, view: Plate['view']): string {
  const [best] = rankPlates(brief, view);
  return best && best.score >= LEADING ? best.id : STANDARD_PLATES[view];
}

/** Whether plates that are seen from above answer the words at all. */
function canLie(brief: Brief): boolean {
  const [above, eye] = (['above', 'eye'] as const).map((view) => rankPlates(brief, view)[0]?.score ?? 0);
  return above! >= LYING * eye!;
}
