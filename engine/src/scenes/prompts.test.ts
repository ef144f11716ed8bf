import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readBrief } from '../words/brief.ts';
import { chooseScene } from './choose.ts';
import { reportUnderstood } from '../words/report.ts';

const LANGUAGES = ['de', 'es', 'fr', 'pt', 'it', 'zh', 'ja', 'ar'];
const rows = readFileSync(new URL('../../quality/scene-prompts.psv', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line.includes('|') && !line.startsWith('#'))
  .map((line) => line.split('|'));

describe.each(LANGUAGES)('prompts of sellers in %s', (language) => {
  const column = LANGUAGES.indexOf(language) + 1;

  it('has fifty of them', () => expect(new Set(rows.map((row) => row[column])).size).toBe(50));

  it.each(rows.map((row) => [row[column]!, row[0]!]))('%s stands in %s', (prompt, plates) => {
    const brief = readBrief(prompt);
    const plate = chooseScene(brief);
    expect(plates.split('/')).toContain(plate.id);
    expect(reportUnderstood(brief, plate).understood.length).toBeGreaterThan(0);
  });
});
