import { expect, it } from 'vitest';
import { readBrief } from './brief.ts';
import { chooseScene } from './choose.ts';
import { reportUnderstood } from './understood.ts';

const prompts = [
  'wooden table, morning light',
  'marble',
  'plain studio, soft shadow',
  'on sand',
  'stone block, late sun',
];

it.each(prompts)(
  'shows a variation of "%s" in another scene that knows the words as well, where there is one',
  (prompt) => {
    const brief = readBrief(prompt, '');
    const first = chooseScene(brief, 0).plate;
    const others = [0, 1, 2].map((take) => chooseScene(brief, take).plate.id).filter((id) => id !== first.id);
    for (const variation of [0, 1, 2, 7, 2 ** 31 - 1]) {
      const { plate } = chooseScene(brief, 0, 'eye', variation);
      if (others.length > 0) expect(plate.id).not.toBe(first.id);
      expect(reportUnderstood(brief, plate).understood.length).toBeGreaterThan(0);
    }
  },
);

it('takes sand of another place for a variation of sand', () => {
  const brief = readBrief('on sand', '');
  expect(chooseScene(brief, 0, 'eye', 3).plate.id).not.toBe(chooseScene(brief, 0).plate.id);
});
