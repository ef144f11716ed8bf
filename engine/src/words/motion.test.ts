import { describe, expect, it } from 'vitest';
import { readMotion, type MotionPlan } from './motion.ts';

const summarise = (prompt: string) => {
  const { understood, notDrawn } = readMotion(prompt, 1);
  return { understood, notDrawn };
};

describe("the report of a clip's words", () => {
  it.each<[string, string[], string[]]>([
    ['Slow turn to the left', ['slow turn to the left'], []],
    ['gentle zoom in, petals floating by', ['gentle zoom in', 'petals floating'], []],
    ['zoom in, steam rising, dust in sun rays', ['zoom in'], ['steam rising', 'dust', 'sun rays']],
    ['the camera circles all around it', [], ['camera circles all around']],
    ['the bottle opens', [], ['bottle opens']],
    ['someone picks it up', [], ['someone picks it up']],
    ['zoom in while a cat walks by', ['zoom in'], ['a cat walks by']],
    ['pan left, then zoom in', ['pan left'], ['zoom in']],
    ['orbit right and pour the coffee', ['orbit right'], ['pour the coffee']],
    ['snow, no rain', ['snow'], []],
    ['a smooth product video of my handbag', [], []],
    ['', [], []],
    ['flibbertigibbet', [], ['flibbertigibbet']],
    ['zoom in flibbertigibbet', ['zoom in'], ['flibbertigibbet']],
    ['slow zoom in on a beach at sunset', ['slow zoom in'], ['beach', 'sunset']],
    ['my blue mug on a velvet sofa, snow', ['snow'], ['velvet sofa']],
    ['pink petals falling, red background', ['petals'], ['red background']],
    ['the mug on a table before a wall, bright light', ['light'], []],
    ['full orbit around the shoe', [], ['full orbit']],
    ['water splashes around the can', [], ['water splashes']],
    ['zoom in, tropical palm leaves', ['zoom in'], ['tropical palm leaves']],
    ['my mug with flowers, slow pan', ['slow pan'], ['flowers']],
    ['running shoe spins', ['spins'], []],
    ['the lamp turns on, zoom in', ['zoom in'], ['lamp turns on']],
    ['light jacket, pan right', ['pan right'], []],
    ['show it from all angles', [], ['from all angles']],
    ["don't zoom, pan left", ['pan left'], []],
    ['box opens, confetti', ['confetti'], ['box opens']],
    ['a floating mug, levitating', [], ['floating mug', 'levitating']],
    ['white product spins', ['spins'], []],
    ['Zoom auf das weiße Produkt', ['Zoom'], []],
    ['白色产品旋转', ['旋转'], []],
    ['leaves move in the wind', ['leaves move in the wind'], []],
    ['the dress moves in the wind', [], ['dress moves in the wind']],
    ['day turns to night', [], ['turns to night']],
    ['turn the lights on', [], ['turn the lights on']],
    ['the camera flies over it', [], ['camera flies over']],
    ['die Kamera fliegt über das Produkt', [], ['Kamera fliegt über']],
  ])('%s', (prompt, understood, notDrawn) => {
    expect(summarise(prompt)).toEqual({ understood, notDrawn });
  });

  it.each<[string, string[], string[]]>([
    ['zoom in to the left', ['zoom in'], ['left']],
    ['slow orbit upwards', ['slow orbit'], ['upwards']],
    ['slide upwards', ['slide'], ['upwards']],
    ['pan up', ['pan up'], []],
    ['tilt up', ['tilt up'], []],
    ['Kamera nach links', ['Kamera nach links'], []],
  ])('claims no side that a move does not have: %s', (prompt, understood, notDrawn) => {
    expect(summarise(prompt)).toEqual({ understood, notDrawn });
  });

  it.each<[string, MotionPlan['camera'], MotionPlan['effects']]>([
    ['no zoom', 'pan-left', ['sweep']],
    ['no zoom, no pan', 'still', ['sweep']],
    ['kein Zoom', 'pan-left', ['sweep']],
    ['no zoom out', 'push-in', ['sweep']],
    ['no effects', 'push-in', []],
    ['ohne Effekte', 'push-in', []],
    ['sin efectos', 'push-in', []],
    ['sans effets', 'push-in', []],
    ['sem efeitos', 'push-in', []],
    ['senza effetti', 'push-in', []],
    ['没有特效', 'push-in', []],
    ['エフェクトなし', 'push-in', []],
    ['بدون تأثيرات', 'push-in', []],
    ['special effects', 'push-in', ['sweep']],
  ])('draws nothing that is excluded: %s', (prompt, camera, effects) => {
    expect(readMotion(prompt, 1)).toMatchObject({ camera, effects, understood: [] });
  });

  it('keeps a still camera still if effects are excluded', () => {
    expect(readMotion('static camera, no light effects', 1)).toMatchObject({ camera: 'still', effects: [] });
  });

  it('comes no closer by any move if zooming is excluded', () => {
    expect(readMotion('orbit left, no zoom', 1)).toMatchObject({ camera: 'orbit-left', keepsSize: true });
    for (const prompt of ['orbit left', 'no zoom in, zoom out', 'no zoom out'])
      expect(readMotion(prompt, 1)).not.toHaveProperty('keepsSize');
  });

  it('reports a turn as missing without a separate product', () => {
    expect(readMotion('turn left', 1, false)).toMatchObject({ camera: 'parallax', notDrawn: ['turn left'] });
  });
});

type Wanted = Partial<Pick<MotionPlan, 'camera' | 'pace' | 'effects' | 'notDrawn'>>;

describe('moves in other languages', () => {
  it.each<[string, Wanted]>([
    ['Langsame Drehung nach links', { camera: 'turn-left', pace: 0.6 }],
    ['Kamera zoomt heran, Schnee fällt', { camera: 'push-in', effects: ['snow'] }],
    ['Schwenk nach rechts ohne Regen, mit Konfetti', { camera: 'pan-right', effects: ['confetti'] }],
    ['giro lento hacia la izquierda', { camera: 'turn-left', pace: 0.6 }],
    ['la cámara se acerca lentamente, vapor', { camera: 'push-in', effects: [] }],
    ['alejar la cámara con hojas de otoño', { camera: 'pull-out', effects: ['leaves'] }],
    ['rotation lente vers la gauche', { camera: 'turn-left', pace: 0.6 }],
    ["la caméra s'éloigne, pétales", { camera: 'pull-out', effects: ['petals'] }],
    ['zoom avant sans neige, bulles', { camera: 'push-in', notDrawn: ['bulles'] }],
    ['rotação lenta para a direita', { camera: 'turn-right', pace: 0.6 }],
    ['a câmera se aproxima, neve', { camera: 'push-in', effects: ['snow'] }],
    ['o produto flutua', { notDrawn: ['flutua'] }],
    ['rotazione lenta verso sinistra', { camera: 'turn-left', pace: 0.6 }],
    ['la telecamera si avvicina, coriandoli', { camera: 'push-in', effects: ['confetti'] }],
    ['nebbia e raggi di sole', { notDrawn: ['nebbia', 'raggi di sole'] }],
    ['慢慢向左旋转', { camera: 'turn-left', pace: 0.6 }],
    ['镜头推近，雪花飘落', { camera: 'push-in', effects: ['snow'] }],
    ['没有雨，花瓣', { effects: ['petals'] }],
    ['ゆっくり左に回転', { camera: 'turn-left', pace: 0.6 }],
    ['ズームイン、雪なし、湯気', { camera: 'push-in', effects: [] }],
    ['カメラが右にパンする', { camera: 'pan-right' }],
    ['دوران بطيء إلى اليسار', { camera: 'turn-left', pace: 0.6 }],
    ['تقريب الكاميرا مع ثلج', { camera: 'push-in', effects: ['snow'] }],
    ['بخار بدون مطر', { notDrawn: ['بخار'] }],
    ['Die Kamera fährt nach rechts', { camera: 'pan-right' }],
    ['Schwenk von links nach rechts', { camera: 'pan-right' }],
    ['keine Bewegung, nur Schnee', { camera: 'still', effects: ['snow'] }],
    ['Regenjacke, langsamer Schwenk', { camera: 'pan-left', effects: [] }],
    ['la cámara se mueve a la derecha', { camera: 'pan-right' }],
    ['panoramique de gauche à droite', { camera: 'pan-right' }],
    ['da esquerda para a direita', { camera: 'pan-right' }],
    ['pluie de confettis', { effects: ['confetti'] }],
    ['カメラがゆっくり後退', { camera: 'pull-out' }],
    ['cinematic slow dolly in', { camera: 'push-in' }],
    ['telecamera fissa, petali', { camera: 'still', effects: ['petals'] }],
    ['花瓣飘落，镜头固定', { camera: 'still', effects: ['petals'] }],
    ['左から右へ', { camera: 'pan-right' }],
    ['دورة كاملة', { camera: 'turn' }],
  ])('%s', (prompt, wanted) => {
    expect(readMotion(prompt, 1)).toMatchObject(wanted);
  });

  it.each<[string, string[], string[]]>([
    ['Langsame Drehung nach links', ['Langsame Drehung nach links'], []],
    ['Die Flasche öffnet sich', [], ['Flasche öffnet sich']],
    ['zoom avant, quelqu’un prend la tasse', ['zoom avant'], ['quelqu’un prend la tasse']],
    ['la botella se abre, nieve', ['nieve'], ['botella se abre']],
    ['镜头推近，瓶子打开', ['镜头推近'], ['瓶子打开']],
    ['Langsame Drehung nach links am Strand', ['Langsame Drehung nach links'], ['Strand']],
    ['giro lento hacia la izquierda en la playa', ['giro lento hacia la izquierda'], ['playa']],
    ['镜头推近，雪花飘落，沙滩', ['镜头推近', '雪花'], ['沙滩']],
    ['ゆっくり左に回転、大理石', ['ゆっくり左に回転'], ['大理石']],
    ['Schnee fällt, marmorne Säule', ['Schnee'], ['marmorne Säule']],
  ])("are reported in the prompt's words: %s", (prompt, understood, notDrawn) => {
    expect(summarise(prompt)).toEqual({ understood, notDrawn });
  });
});
