import { describe, expect, it } from 'vitest';
import { readBrief } from '../words/brief.ts';
import { chooseScene } from './choose.ts';
import { reportUnderstood } from '../words/report.ts';

function tell(prompt: string) {
  const brief = readBrief(prompt);
  const plate = chooseScene(brief);
  const { understood, notDrawn } = reportUnderstood(brief, plate);
  return [plate.id, understood.join(' · '), notDrawn.join(' · ')];
}

describe('what a picture shows of its words', () => {
  it.each([
    ['Wooden table, morning light', 'morning-table', 'wooden table · morning light', ''],
    ['Stone block, late sun', 'terracotta-window', 'stone block · late sun', ''],
    ['Plain studio, soft shadow', 'studio-sweep', 'plain studio · soft shadow', ''],
    ['wooden table, warm light, velvet sofa', 'morning-table', 'wooden table · warm light', 'velvet sofa'],
    ['on a rustic wooden table with autumn leaves', 'autumn-harvest', 'rustic wooden table · autumn leaves', ''],
    ['a forest in the rain', 'moss-stone', 'forest', 'rain'],
    ['on the moon next to an astronaut, saturn in the sky', 'space-planet', 'sky', 'moon · astronaut · saturn'],
    ['wine bottle on an oak barrel in a vineyard', 'wine-cellar', 'oak barrel', 'vineyard'],
    ['Please put my handmade ceramic mug on a marble table', 'marble-podium', 'marble table', ''],
    ['a candle on marble', 'marble-podium', 'marble', ''],
    ['marble with a watch', 'marble-podium', 'marble', 'watch'],
    ['light blue background', 'studio-sweep', 'light blue background', ''],
    ['a desk, no plants', 'office-desk', 'desk', ''],
    ['xyzzy plugh', 'studio-sweep', '', 'xyzzy plugh'],
    ['coffee mug', 'studio-sweep', '', ''],
    ['', 'studio-sweep', '', ''],
    ['Samtsofa, Holztisch im Morgenlicht', 'morning-table', 'Holztisch · Morgenlicht', 'Samtsofa'],
    ['auf einem Holztisch, daneben ein Drache', 'morning-table', 'Holztisch', 'Drache'],
    ['mesa de madera, al lado un dragón', 'morning-table', 'mesa de madera', 'dragón'],
    ['table en bois, à côté un dragon', 'morning-table', 'table en bois', 'dragon'],
    ['wooden table, alongside a dragon', 'morning-table', 'wooden table', 'dragon'],
    ['mesa de madera con un dragón', 'morning-table', 'mesa de madera', 'dragón'],
    ['木桌，独角兽', 'morning-table', '木桌', '独角兽'],
    ['木製テーブル、ドラゴン', 'morning-table', '木製テーブル', 'ドラゴン'],
    ['طاولة خشبية مع تنين', 'morning-table', 'طاولة خشبية', 'تنين'],
  ])('%s', (prompt, plate, understood, notDrawn) => {
    expect(tell(prompt)).toEqual([plate, understood, notDrawn]);
  });

  it('tells at most 200 phrases, none of them with half a letter', () => {
    const many = Array.from({ length: 300 }, (_, n) => `zq${String.fromCodePoint(97 + (n % 26))}${n}x`).join(', ');
    const brief = readBrief(`qqq\ud83dzz, ${'𠮷'.repeat(25)}${'x𠮷'.repeat(30)}, ${many}`);
    const { notDrawn } = reportUnderstood(brief, chooseScene(brief));
    expect(notDrawn).toHaveLength(200);
    expect(notDrawn.filter((phrase) => /\p{Cs}/u.test(phrase))).toEqual([]);
  });

  it.each([
    ['Wald ohne Moos', 'moos'],
    ['sin musgo, bosque con piedra', 'musgo'],
    ['forêt sans mousse', 'mousse'],
    ['floresta sem musgo', 'musgo'],
    ['foresta senza muschio', 'muschio'],
    ['森林，不要青苔', '青苔'],
    ['森、苔なし', '苔'],
    ['غابة بدون طحالب', 'طحالب'],
  ])('does not read a refusal as something asked for: %s', (prompt, refused) => {
    const term = readBrief(prompt).terms.find(({ name }) => name === 'moss');
    expect(term?.isUnwanted).toBe(true);
    expect(tell(prompt).join()).not.toContain(refused);
  });
});
