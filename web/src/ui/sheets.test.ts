import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, type AtRule, type Rule } from 'postcss';
import { expect, test } from 'vitest';

const src = join(import.meta.dirname, '..');
const sheets = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.css'));
const readSheet = (path: string) => parse(readFileSync(join(src, path), 'utf8'), { from: path });

/** Whether a rule stands in an at-rule like this. */
function isInside(rule: Rule, name: RegExp, params = /./): boolean {
  for (let at = rule.parent; at !== undefined; at = at.parent as typeof at) {
    if (at.type !== 'atrule') continue;
    const { name: found, params: said } = at as AtRule;
    if (name.test(found) && params.test(said)) return true;
  }
  return false;
}

test('a class that stands alone has one sheet, so that rooms cannot collide', () => {
  const homes = new Map<string, Set<string>>();
  for (const path of sheets) {
    readSheet(path).walkRules((rule) => {
      // What paper and forced colours ask for may stand in any sheet.
      if (isInside(rule, /media/, /print|forced-colors/)) return;
      for (const selector of rule.selectors) {
        const [, name] = /^\.([\w-]+)$/.exec(selector) ?? [];
        if (name !== undefined) homes.set(name, (homes.get(name) ?? new Set()).add(path));
      }
    });
  }
  expect(homes.size).toBeGreaterThan(200);
  const shared = [...homes].filter(([, paths]) => paths.size > 1);
  expect(shared.map(([name, paths]) => `${name}: ${[...paths].join(', ')}`)).toEqual([]);
});

test('every rule stands in a layer, whose order decides between the sheets', () => {
  for (const path of sheets.filter((one) => !one.endsWith('tokens.css'))) {
    const loose: string[] = [];
    readSheet(path).walkRules((rule) => {
      // sonner's own sheet has none, so what changes it cannot have one either.
      if (!isInside(rule, /layer|keyframes/) && !rule.selector.includes('toast')) loose.push(rule.selector);
    });
    expect(loose, path).toEqual([]);
  }
});
