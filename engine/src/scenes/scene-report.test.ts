import { describe, expect, it } from 'vitest';
import { readBrief } from '../words/brief.ts';
import { chooseScene } from './choose.ts';
import { reportUnderstood } from '../words/report.ts';

function summarise(prompt: string) {
  const brief = readBrief(prompt);
  const plate = chooseScene(brief);
  const { understood, notDrawn } = reportUnderstood(brief, plate);
  return [plate.id, understood.join(' · '), notDrawn.join(' · ')];
}

describe('the report of drawn words', () => {
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
    ['white wall, black wall', 'studio-sweep', 'white wall · wall', 'black'],
    ['red, blue and yellow background', 'studio-sweep', 'red · yellow background', 'blue'],
    ['white background, white wall', 'studio-sweep', 'white background · white wall', ''],
    ['blue, yellow, from above', 'flat-paper', 'blue', 'yellow'],
    ['blue background from above', 'flat-paper', 'blue background', ''],
    ['a desk, no plants', 'office-desk', 'desk', ''],
    ['xyzzy plugh', 'studio-sweep', '', 'xyzzy plugh'],
    ['coffee mug', 'studio-sweep', '', ''],
    ['', 'studio-sweep', '', ''],
    ['Samtsofa, Holztisch im Morgenlicht', 'morning-table', 'Holztisch · Morgenlicht', 'Samtsofa'],
    ['Steinplatte', 'mountain-rock', 'Steinplatte', ''],
    ['Duftkerze auf Marmor', 'marble-podium', 'Marmor', ''],
    ['Halskette auf Samt', 'jewel-case', 'Samt', ''],
    ['book on a wooden desk with glasses and coffee', 'morning-table', 'wooden desk', 'glasses · coffee'],
    ['towel in a spa with candles and stones', 'spa-counter', 'spa', 'candles · stones'],
    ['mug on a white desk', 'office-desk', 'white desk', ''],
    ['Sonnenlicht durch Palmenblätter', 'sage-leaf', 'Sonnenlicht · Palmenblätter', ''],
    ['leather bag on a cafe chair', 'cafe-wood', 'cafe', 'chair'],
    ['auf einem Holzhocker', 'morning-table', '', 'Holzhocker'],
    ['soft light on my chair', 'studio-sweep', 'soft light', ''],
    ['on my chair', 'studio-sweep', '', ''],
    ['on the floor, a chair', 'hallway-bench', 'floor', ''],
    ['auf einem Holztisch, daneben ein Drache', 'morning-table', 'Holztisch', 'Drache'],
    ['mesa de madera, al lado un dragón', 'morning-table', 'mesa de madera', 'dragón'],
    ['table en bois, à côté un dragon', 'morning-table', 'table en bois', 'dragon'],
    ['wooden table, alongside a dragon', 'morning-table', 'wooden table', 'dragon'],
    ['mesa de madera con un dragón', 'morning-table', 'mesa de madera', 'dragón'],
    ['木桌，独角兽', 'morning-table', '木桌', '独角兽'],
    ['木製テーブル、ドラゴン', 'morning-table', '木製テーブル', 'ドラゴン'],
    ['طاولة خشبية مع تنين', 'morning-table', 'طاولة خشبية', 'تنين'],
  ])('%s', (prompt, plate, understood, notDrawn) => {
    expect(summarise(prompt)).toEqual([plate, understood, notDrawn]);
  });

  it.each([
    ['glass table', '', 'glass table'],
    ['Glastisch', '', 'Glastisch'],
    ['table en verre', '', 'table en verre'],
    ['Glasregal im Wohnzimmer', 'Wohnzimmer', 'Glasregal'],
    ['cherry wood desk', 'desk', 'cherry wood'],
    ['madera de cerezo', '', 'madera de cerezo'],
    ['legno di ciliegio', '', 'legno di ciliegio'],
    ['bois de cerisier', '', 'bois de cerisier'],
    ['snow globe', '', 'snow globe'],
    ['globe', '', 'globe'],
    ['pool table', '', 'pool table'],
    ['玻璃桌', '', '玻璃桌'],
    ['play mat', '', 'play mat'],
    ['point of sale', '', 'point of sale'],
    ['back porch', '', 'back porch'],
    ['better homes', 'homes', 'better'],
    ['low cost', '', 'low cost'],
    ['en la playa', 'playa', ''],
  ])(
    'takes no wood for blossoms, no globe for balloons, no playing for a playa: %s',
    (prompt, understood, notDrawn) => {
      expect(summarise(prompt).slice(1)).toEqual([understood, notDrawn]);
    },
  );

  it.each([
    ['white product on a black background', 'black background'],
    ['black background, white product', 'black background'],
    ['black background white product', 'black background'],
    ['white product black background', 'black background'],
    ['a dark blue product on a black background', 'black background'],
    ['a black background with a white product', 'black background'],
    ['a white and blue product on a black background', 'black background'],
    ['weißes Produkt auf schwarzem Hintergrund', 'schwarzem Hintergrund'],
    ['schwarzer Hintergrund, weißes Produkt', 'schwarzer Hintergrund'],
    ['producto blanco sobre fondo negro', 'fondo negro'],
    ['fondo negro, producto azul oscuro', 'fondo negro'],
    ['produit blanc sur fond noir', 'fond noir'],
    ['fond noir, produit blanc', 'fond noir'],
    ['produto branco em fundo preto', 'fundo preto'],
    ['fundo preto, produto branco', 'fundo preto'],
    ['prodotto bianco su sfondo nero', 'sfondo nero'],
    ['sfondo nero, prodotto bianco', 'sfondo nero'],
    ['黑色背景上的白色产品', '黑色背景'],
    ['白色的产品，黑色背景', '黑色背景'],
    ['白い商品、黒い背景', '黒い背景'],
    ['黒い背景に白い商品', '黒い背景'],
    ['黒い背景に、青と白の商品', '黒い背景'],
    ['منتج ابيض على خلفية سوداء', 'خلفية سوداء'],
    ['خلفية سوداء، منتج ابيض', 'خلفية سوداء'],
  ])("does not apply a product's colour to the scene: %s", (prompt, understood) => {
    expect(summarise(prompt)).toEqual(['studio-sweep', understood, '']);
    const { wall, surface } = readBrief(prompt);
    expect([wall, surface]).toEqual([readBrief('black background').wall, undefined]);
  });

  it.each([
    ['pink product background', 'pastel-arches', 'pink'],
    ['pink product background on a table', 'pastel-arches', 'pink'],
    ['pink product soft backdrop', 'pastel-arches', 'pink · soft backdrop'],
    ['marble product podium', 'marble-podium', 'marble · podium'],
    ['white background product', 'studio-sweep', 'white background'],
    ['white product photo', 'studio-sweep', 'white'],
    ['a pink scene showing the product', 'pastel-arches', 'pink'],
    ['white product listing', 'studio-sweep', 'white'],
    ['pink product scene', 'pastel-arches', 'pink'],
    ['rosa Produkthintergrund', 'studio-sweep', 'rosa Produkthintergrund'],
    ['rosa Produkt Hintergrund', 'pastel-arches', 'rosa'],
    ['weißes Produktfoto', 'studio-sweep', 'weißes'],
    ['fondo de producto rosa', 'studio-sweep', 'fondo de producto rosa'],
    ['fondo rosa para producto', 'studio-sweep', 'fondo rosa'],
    ['podio de producto de mármol', 'marble-podium', 'podio · mármol'],
    ['fotografía de producto rosa', 'pastel-arches', 'rosa'],
    ['fond de produit rose', 'pastel-arches', 'rose'],
    ['photo de produit rose', 'pastel-arches', 'rose'],
    ['fundo de produto rosa', 'pastel-arches', 'rosa'],
    ['foto de produto rosa', 'pastel-arches', 'rosa'],
    ['sfondo prodotto rosa', 'pastel-arches', 'rosa'],
    ['foto prodotto rosa', 'pastel-arches', 'rosa'],
    ['粉色产品背景', 'pastel-arches', '粉色'],
    ['粉色产品的背景', 'pastel-arches', '粉色'],
    ['粉色产品照片', 'pastel-arches', '粉色'],
    ['大理石产品展台', 'marble-podium', '大理石 · 展台'],
    ['ピンクの商品背景', 'pastel-arches', 'ピンク'],
    ['ピンクの商品写真', 'pastel-arches', 'ピンク'],
    ['خلفية منتج وردية', 'pastel-arches', 'وردية'],
    ['صورة منتج وردية', 'pastel-arches', 'وردية'],
  ])('applies colours to a scene for products: %s', (prompt, plate, understood) => {
    expect(summarise(prompt)).toEqual([plate, understood, '']);
  });

  it.each([
    ['flat lay on white wood', 'white wood', 'flat-white-wood'],
    ['whitewashed wood planks from above', 'whitewashed wood planks', 'flat-white-wood'],
    ['weißes Holz von oben', 'weißes Holz', 'flat-white-wood'],
    ['madera blanca desde arriba', 'madera blanca', 'flat-white-wood'],
    ["planches de bois blanches vues d'en haut", 'planches de bois blanches', 'flat-white-wood'],
    ['madeira branca vista de cima', 'madeira branca', 'flat-white-wood'],
    ["legno bianco dall'alto", 'legno bianco', 'flat-white-wood'],
    ['白色木板俯拍', '白色木板', 'flat-white-wood'],
    ['白い木の板、真上から', '白い木の板', 'flat-white-wood'],
    ['خشب ابيض من الاعلى', 'خشب ابيض', 'flat-white-wood'],
    ['black wooden table from above', 'black wooden table', 'flat-black-wood'],
    ['schwarz gebeizter Holztisch von oben', 'schwarz gebeizter Holztisch', 'flat-black-wood'],
    ['tablas de madera negra desde arriba', 'tablas de madera negra', 'flat-black-wood'],
    ['bois noir vue de dessus', 'bois noir', 'flat-black-wood'],
    ['madeira preta vista de cima', 'madeira preta', 'flat-black-wood'],
    ["legno nero dall'alto", 'legno nero', 'flat-black-wood'],
    ['黑色木桌俯视', '黑色木桌', 'flat-black-wood'],
    ['黒い木のテーブル、上から', '黒い木のテーブル', 'flat-black-wood'],
    ['خشب اسود من الاعلى', 'خشب اسود', 'flat-black-wood'],
    ['wood from above', 'wood', 'flat-wood'],
    ['white wood', 'wood', 'morning-table'],
    ['parquet from above', 'parquet', 'flat-herringbone'],
    ['Fischgrätparkett von oben', 'Fischgrätparkett', 'flat-herringbone'],
    ['parquet en espiga visto desde arriba', 'parquet · espiga', 'flat-herringbone'],
    ['parquet point de hongrie vu de dessus', 'parquet point de hongrie', 'flat-herringbone'],
    ['piso em espinha de peixe visto de cima', 'piso · espinha de peixe', 'flat-herringbone'],
    ["parquet a spina di pesce dall'alto", 'parquet · spina di pesce', 'flat-herringbone'],
    ['人字纹地板俯拍', '人字纹地板', 'flat-herringbone'],
    ['ヘリンボーンの床、真上から', 'ヘリンボーンの床', 'flat-herringbone'],
    ['باركيه من الاعلى', 'باركيه', 'flat-herringbone'],
    ['slice of a tree trunk as podium', 'slice of a tree trunk · podium', 'tree-stump'],
    ['auf einer Baumscheibe', 'Baumscheibe', 'tree-stump'],
    ['sobre una rodaja de tronco', 'rodaja de tronco', 'tree-stump'],
    ['sur une tranche de tronc', 'tranche de tronc', 'tree-stump'],
    ['numa fatia de tronco', 'fatia de tronco', 'tree-stump'],
    ['su una fetta di tronco', 'fetta di tronco', 'tree-stump'],
    ['树干切片', '树干切片', 'tree-stump'],
    ['丸太の輪切りの上に', '丸太の輪切り', 'tree-stump'],
    ['على شريحة جذع', 'شريحة جذع', 'tree-stump'],
  ])('shows wood of the requested colour and cut if there is such a set: %s', (prompt, understood, plate) => {
    expect(summarise(prompt).slice(0, 2)).toEqual([plate, understood]);
  });

  it.each([
    ['sunny fireplace', 'fireplace', 'sunny'],
    ['sonniger Kamin', 'kamin', 'sonniger'],
    ['chimenea soleada', 'chimenea', 'soleada'],
    ['cheminée ensoleillée', 'cheminée', 'ensoleillée'],
    ['lareira ensolarada', 'lareira', 'ensolarada'],
    ['camino soleggiato', 'camino', 'soleggiato'],
    ['阳光，壁炉', '壁炉', '阳光'],
    ['日差し、暖炉', '暖炉', '日差し'],
    ['مدفأة مشمسة', 'مدفأة', 'مشمسة'],
  ])('reports no daylight in a dark set: %s', (prompt, shown, missing) => {
    const [plate, understood, notDrawn] = summarise(prompt);
    expect([plate, understood?.toLowerCase(), notDrawn]).toEqual(['fireplace', shown, missing]);
  });

  it.each([
    ['bright morning light in a cafe', 'cafe-wood', 'cafe', 'bright morning light'],
    ['warm light by the fireplace in the evening', 'fireplace', 'warm light · fireplace · evening', ''],
    ['sunny asphalt road', 'asphalt-road', 'sunny asphalt road', ''],
    ['slate from above, morning light', 'flat-slate', 'slate · morning light', ''],
  ])('reports what a dark set can show, and daylight on a dark floor: %s', (prompt, plate, understood, notDrawn) => {
    expect(summarise(prompt)).toEqual([plate, understood, notDrawn]);
  });

  it('reports at most 200 phrases, none with half a surrogate pair', () => {
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
  ])('does not read an exclusion as a request: %s', (prompt, refused) => {
    const term = readBrief(prompt).terms.find(({ name }) => name === 'moss');
    expect(term?.isUnwanted).toBe(true);
    expect(summarise(prompt).join()).not.toContain(refused);
  });
});
