import { describe, expect, it } from 'vitest';
import { readBrief } from '../words/brief.ts';
import { chooseScene } from './choose.ts';
import { listPlates } from './plates.ts';
import { reportUnderstood } from '../words/report.ts';

const prompts = [
  'wooden table, morning light',
  'marble',
  'plain studio, soft shadow',
  'on sand',
  'stone block, late sun',
];

it.each(prompts)('varies "%s" in another scene that matches equally well, if there is one', (prompt) => {
  const brief = readBrief(prompt);
  const first = chooseScene(brief);
  const others = [0, 1, 2].map((n) => chooseScene(brief, undefined, n).id).filter((id) => id !== first.id);
  for (const variation of [0, 1, 2, 7, 2 ** 31 - 1]) {
    const plate = chooseScene(brief, undefined, variation);
    if (others.length > 0) expect(plate.id).not.toBe(first.id);
    expect(reportUnderstood(brief, plate).understood.length).toBeGreaterThan(0);
  }
});

it.each([
  ['pink background with rose petals', 'valentine-rose'],
  ['rainy window', 'rain'],
  ['luxury bathroom', 'spa-counter'],
])('selects the plate that shows most of "%s"', (prompt, id) => {
  const brief = readBrief(prompt);
  const plate = chooseScene(brief);
  expect(plate.id).toBe(id);
  const left = (one: typeof plate) => reportUnderstood(brief, one).notDrawn.join('').length;
  const others = [1, 2, 3, 4].map((n) => left(chooseScene(brief, undefined, n)));
  expect(left(plate)).toBeLessThan(Math.max(...others));
});

it.each([
  'on a sunny windowsill, christmas tree, velvet sofa',
  'auf einer sonnigen Fensterbank, Weihnachtsbaum, Samtsofa',
  'en un alféizar soleado, árbol de navidad, sofá de terciopelo',
  'sur un rebord de fenêtre ensoleillé, sapin de noël, canapé en velours',
  'num peitoril ensolarado, árvore de natal, sofá de veludo',
  'su un davanzale soleggiato, albero di natale, divano di velluto',
  '阳光窗台，圣诞树，天鹅绒沙发',
  '日差しの窓辺、クリスマスツリー、ベルベットのソファ',
  'على عتبة النافذة مشمسة، شجرة عيد الميلاد، أريكة مخملية',
])('prefers the set that shows more of the things that were asked for, not the longer words: %s', (prompt) => {
  expect(chooseScene(readBrief(prompt)).id).toBe('window-plants');
});

it('uses sand of another place as a variation of sand', () => {
  const brief = readBrief('on sand');
  expect(chooseScene(brief, undefined, 3).id).not.toBe(chooseScene(brief).id);
});

describe('every word that selects a scene', () => {
  const words = new Set(listPlates().flatMap(({ words: own, shows }) => [...own, ...shows]));
  const isShown = (word: string, variation?: number) => {
    const brief = readBrief(word);
    return reportUnderstood(brief, chooseScene(brief, undefined, variation)).understood.length > 0;
  };

  it('is visible in every variation if it is visible in the first picture', () => {
    const visible = [...words].filter((word) => isShown(word));
    expect(visible.length).toBeGreaterThan(200);
    expect(visible.filter((word) => !isShown(word, 1) || !isShown(word, 0))).toEqual([]);
  });
});

describe('a prompt of unknown words', () => {
  it.each([
    ['eye', 'studio-sweep'],
    ['above', 'flat-paper'],
  ] as const)('selects the plain studio, from %s, in every variation', (view, id) => {
    for (const variation of [undefined, 0, 3]) {
      expect(chooseScene(readBrief('xyzzy plugh'), view === 'above' ? 'surely' : undefined, variation).id).toBe(id);
    }
  });
});

it('words that only select a set select that one, and the studio on a weak match', () => {
  const chosen = ['motorcycle garage', 'on a farm', 'paradise'].map((words) => chooseScene(readBrief(words)).id);
  expect(chosen).toEqual(['workshop-bench', 'barn-boards', 'studio-sweep']);
});

it('varies among plates that match nearly as well, never with the best', () => {
  const brief = readBrief('stone');
  const shown = [0, 1, 2, 3, 4, 5, 6].map((variation) => chooseScene(brief, undefined, variation).id);
  const sets = new Set(shown).size;
  expect(sets).toBeGreaterThan(1);
  expect(shown).not.toContain(chooseScene(brief).id);
  for (const [variation, id] of shown.entries()) expect(id).toBe(shown[variation % sets]);
});

it('prefers a set that draws every word to a better match, and varies with no other such set', () => {
  const shown = (words: string) =>
    new Set([undefined, 0, 1, 2, 3].map((n) => chooseScene(readBrief(words), undefined, n).id));
  expect([...shown('a wooden table with autumn leaves')]).toEqual(['autumn-harvest']);
  expect([...shown('a wooden table')]).toEqual(['morning-table']);
});

it('keeps variations of white white, and shows white from above only below lying products', () => {
  const brief = readBrief('marble on white background');
  for (const variation of [0, 1, 2, 3]) expect(chooseScene(brief, undefined, variation).id).toBe('studio-sweep');
  expect(chooseScene(readBrief('white background'), 'surely').id).toBe('flat-paper');
});

it('shows a fireplace and a christmas tree on request', () => {
  for (const words of ['by the fireplace', 'Kaminfeuer', 'christmas tree']) {
    expect(chooseScene(readBrief(words)).id).toBe('fireplace');
  }
});

it.each([
  ['birthday party with balloons', 'birthday-table'],
  ['Geburtstag mit Luftballons und Geschenken', 'birthday-table'],
  ['バースデー、風船とプレゼント', 'birthday-table'],
  ['at the swimming pool', 'pool-deck'],
  ['al borde de la piscina, sombrilla', 'pool-deck'],
  ['art gallery', 'gallery'],
  ['in un museo', 'gallery'],
  ['sur un ponton au bord du lac', 'lake-pier'],
  ['auf einem Steg am See', 'lake-pier'],
  ['in einer Bäckerei mit frischem Brot', 'bakery-counter'],
  ['パン屋のカウンター', 'bakery-counter'],
  ['back to school, chalkboard and pencils', 'classroom'],
  ['Schulanfang, vor der Tafel', 'classroom'],
  ['log cabin', 'cabin-window'],
  ['Berghütte, auf der Fensterbank', 'cabin-window'],
  ['auf der Bühne', 'curtain'],
  ['舞台', 'curtain'],
  ['with coffee beans', 'coffee-sack'],
  ['in einer Kaffeerösterei', 'coffee-sack'],
  ['红灯笼，春节', 'red-lanterns'],
  ['ano novo chinês com lanternas vermelhas', 'red-lanterns'],
  ['auf einer Fensterbank mit Pflanzen', 'window-plants'],
  ['sunny windowsill, morning light', 'window-plants'],
  ['窓辺、観葉植物', 'window-plants'],
  ['hanging in a boutique', 'boutique'],
  ['Kleiderstange', 'boutique'],
  ['en una tienda de ropa', 'boutique'],
  ['服装店', 'boutique'],
  ['in a shop', 'boutique'],
  ['on a rainy street', 'wet-street'],
  ['nachts in der Stadt, Pfütze', 'wet-street'],
  ['en una calle mojada', 'wet-street'],
  ['雨の街', 'wet-street'],
  ['city street at night', 'wet-street'],
  ['football boots on a soccer field', 'football-pitch'],
  ['Fußballplatz im Stadion', 'football-pitch'],
  ['su un campo da calcio', 'football-pitch'],
  ['足球场', 'football-pitch'],
  ['في ملعب كرة القدم', 'football-pitch'],
  ['armchair in a bright room', 'living-floor'],
  ['Sessel in einem hellen Zimmer', 'living-floor'],
  ['un mueble en una habitación', 'living-floor'],
  ['on an asphalt road', 'asphalt-road'],
  ['mit dem Spielzeugauto auf der Straße', 'asphalt-road'],
  ['アスファルトの道路', 'asphalt-road'],
  ['breakfast table with fruit', 'kitchen-counter'],
  ['Frühstückstisch', 'morning-table'],
  ['brunch', 'kitchen-counter'],
  ['dinner table', 'banquet-table'],
  ['flower meadow', 'meadow'],
  ['chair in morning light', 'living-floor'],
  ['mug in natural light', 'window-plants'],
  ['natürliches Licht', 'window-plants'],
  ['auf einem Sideboard im Wohnzimmer', 'sideboard-wall'],
  ['Blumenwiese', 'meadow'],
  ['Waldboden', 'moss-stone'],
  ['夕食のテーブル', 'banquet-table'],
])('shows "%s" in its own place', (words, id) => {
  const { understood } = reportUnderstood(readBrief(words), chooseScene(readBrief(words)));
  expect(understood.length).toBeGreaterThan(0);
  expect(chooseScene(readBrief(words)).id).toBe(id);
});

it("stays at a lake on request, and uses a club's light for no birthday", () => {
  expect(chooseScene(readBrief('stone in a calm lake')).id).toBe('water-stone');
  expect(chooseScene(readBrief('neon club, party')).id).toBe('neon-night');
});

it("keeps snow outside a cabin's window, and brick in a brick street", () => {
  expect(chooseScene(readBrief('snow at the window')).id).toBe('cabin-window');
  expect(chooseScene(readBrief('brick wall in a street')).id).toBe('brick-street');
});

it('keeps neon, drops on a window and a dry road when they are requested beside a wet street', () => {
  for (const [words, id] of [
    ['neon lights, wet floor', 'neon-night'],
    ['neon city at night', 'neon-night'],
    ['raindrops on a window', 'rain'],
    ['a car on the road', 'asphalt-road'],
  ] as const) {
    expect(chooseScene(readBrief(words)).id).toBe(id);
  }
});

it('keeps lawns, meadows and parks on picnic grass, and sport in the gym first', () => {
  for (const words of ['Rasen', 'on the lawn', 'in a meadow', 'grass in the park']) {
    expect(chooseScene(readBrief(words)).id).toBe('picnic-grass');
  }
  expect(chooseScene(readBrief('sport')).id).toBe('gym-floor');
});

it('varies between a table and a floor in a living room, the table first', () => {
  const brief = readBrief('living room');
  expect(chooseScene(brief).id).toBe('living-room');
  expect(chooseScene(brief, undefined, 0).id).toBe('living-floor');
});

it("places an armchair on a living room's floor, and a mug on its table", () => {
  expect(chooseScene(readBrief('an armchair in a living room')).id).toBe('living-floor');
  expect(chooseScene(readBrief('Stehlampe im Wohnzimmer')).id).toBe('living-floor');
  expect(chooseScene(readBrief('a mug in a living room')).id).toBe('living-room');
});

it('selects a room for furniture and a road for cars, which neither shows', () => {
  for (const [words, id] of [
    ['furniture', 'living-floor'],
    ['car', 'asphalt-road'],
    ['Laufbahn', 'asphalt-road'],
    ['mountain road', 'asphalt-road'],
  ] as const) {
    const brief = readBrief(words);
    expect(chooseScene(brief).id).toBe(id);
    expect(reportUnderstood(brief, chooseScene(brief)).understood).toEqual([]);
  }
});

it('draws no day that it does not know, no skate park, and light only as light', () => {
  const report = (prompt: string) => {
    const brief = readBrief(prompt);
    const scene = chooseScene(brief);
    return [scene.id, reportUnderstood(brief, scene).understood];
  };
  expect(report('Labour day')).toEqual(['studio-sweep', []]);
  expect(report('skate park')).toEqual(['studio-sweep', []]);
  expect(report('fête des pères')).toEqual(['studio-sweep', []]);
  expect(report('no meio da floresta')).toEqual(['moss-stone', ['floresta']]);
  expect(report('on stones by the river')).toEqual(['water-stone', ['stones']]);
  expect(report('glass blocks with light')[0]).not.toBe('sky-clouds');
});

it('shows lying products on any set from above that matches the words', () => {
  const brief = readBrief('on a rustic wooden floor in a barn');
  expect(chooseScene(brief).view).toBe('eye');
  expect(chooseScene(brief, 'surely').view).toBe('above');
  expect(chooseScene(readBrief('on a rocket in space'), 'surely').view).toBe('eye');
  expect(chooseScene(readBrief('pastel background'), 'surely').id).toBe('flat-paper');
  expect(chooseScene(readBrief('elegant'), 'surely').id).toBe('flat-marble');
});

it('shows a product that only seems to lie in the place that was asked for, unless a top view shows it as well', () => {
  for (const [words, surely, likely] of [
    ['rustic wine cellar', 'flat-white-wood', 'wine-cellar'],
    ['old barn wood', 'flat-wood', 'barn-boards'],
    ['wooden table', 'flat-wood', 'flat-wood'],
    ['in the sand', 'flat-sand', 'flat-sand'],
  ] as const) {
    expect(chooseScene(readBrief(words), 'surely').id).toBe(surely);
    expect(chooseScene(readBrief(words), 'likely').id).toBe(likely);
  }
});

it('hangs a garment in a set that draws the words if no set from above does', () => {
  expect(chooseScene(readBrief('by the fireplace, christmas tree'), 'surely').id).toBe('fireplace');
  expect(chooseScene(readBrief('jeans on a hanger'), 'surely').id).toBe('boutique');
});

it('selects no shop for words about selling, or for white', () => {
  for (const words of ['photo for my shop', 'pour ma boutique en ligne', 'T-shirt on a hanger, white background']) {
    expect(chooseScene(readBrief(words)).id).toBe('studio-sweep');
  }
});

it.each([
  ['christmas living room with fairy lights', 'flat-christmas'],
  ['Herbstlaub und Kürbisse', 'flat-autumn'],
  ['snowy forest', 'flat-snow'],
  ['spring flowers', 'flat-blossom'],
  ['día de san valentín con rosas', 'flat-rose'],
  ['tropical summer, palm leaves', 'flat-palm'],
  ['in a forest on a mossy stone', 'flat-moss'],
  ['auf einer sonnigen Terrasse', 'flat-deck'],
  ['luxury, black and gold', 'flat-gold'],
  ['Kinderzimmer mit Spielzeug', 'flat-kids'],
  ['on the bed, soft linen', 'flat-linen'],
  ['auf dem Teppich im Wohnzimmer', 'flat-rug'],
  ['lemons in a kitchen', 'flat-kitchen'],
  ['auf Kaffeebohnen', 'coffee-beans'],
  ['咖啡豆', 'coffee-beans'],
  ['mit Basilikum und Rosmarin', 'herb-board'],
  ['épices et herbes aromatiques', 'herb-board'],
])('lays a garment for "%s" on %s', (words, id) => {
  expect(chooseScene(readBrief(words), 'surely').id).toBe(id);
});
