import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, type AtRule, type Node } from 'postcss';
import { expect, test } from 'vitest';
import { COMPACT, PHONE, STACKED } from '../platform/media-query.ts';

const src = join(import.meta.dirname, '..');
const files = readdirSync(src, { recursive: true, encoding: 'utf8' });
const read = (path: string) => readFileSync(join(src, path), 'utf8');
const readSheet = (path: string) => parse(read(path), { from: path });
const TOKENS = 'ui/sheets/tokens.css';
const BREAKPOINTS = 'ui/breakpoints.css';
const sheets = files.filter((path) => path.endsWith('.css'));
const [, gate = ''] = /<style>(.*?)<\/style>/s.exec(read('../index.html')) ?? [];
const spaced = [
  ...sheets.filter((path) => path !== TOKENS).map((path) => ({ path, root: readSheet(path) })),
  { path: 'index.html', root: parse(gate) },
];

/** Whether a rule stands in an at-rule like this. */
function isInside(node: Node, name: RegExp, params = /./): boolean {
  for (let at = node.parent; at !== undefined; at = at.parent as typeof at) {
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

test('a class has a name of five letters or more, and a button is drawn in three sheets at most', () => {
  const short: string[] = [];
  const ofButton = new Set<string>();
  for (const path of sheets) {
    readSheet(path).walkRules(({ selector }) => {
      for (const [, name = ''] of selector.matchAll(/\.([a-z][\w-]*)/gi)) {
        if (name.length < 5) short.push(`${path}: ${name}`);
        if (name === 'button') ofButton.add(path);
      }
    });
  }
  expect(short).toEqual([]);
  expect(ofButton.size).toBeLessThanOrEqual(3);
});

test('every rule stands in a layer, whose order decides between the sheets', () => {
  for (const path of sheets.filter((one) => one !== TOKENS)) {
    const loose: string[] = [];
    readSheet(path).walkRules((rule) => {
      if (!isInside(rule, /layer|keyframes/)) loose.push(rule.selector);
    });
    expect(loose, path).toEqual([]);
  }
});

test('what forced colours highlight is highlighted over whatever the other sheets say of it', () => {
  const loose: string[] = [];
  for (const path of sheets) {
    readSheet(path).walkDecls('color', (decl) => {
      if (decl.value === 'HighlightText' && !isInside(decl, /layer/, /layout/)) loose.push(path);
    });
  }
  expect(loose).toEqual([]);
});

test('how words break is said without whether they do, so that a line that is cut off stays one line', () => {
  const both: string[] = [];
  for (const path of sheets) readSheet(path).walkDecls('text-wrap', ({ value }) => void both.push(`${path}: ${value}`));
  expect(both).toEqual([]);
});

const SPACE = /^((row-|column-)?gap|(scroll-)?(margin|padding)(-.+)?|inset(-.+)?|top|right|bottom|left)$/;
// A hairline is no space, and what is told in em belongs to a letter. Paper has units of its own.
const LENGTH = /(?<![\w.-])(?!1px)(?=[\d.]*[1-9])[\d.]+(px|rem|ch|pt|cm|mm|in)\b/;

test('every gap, margin, padding and place is a step of the scale, and every step is in use', () => {
  const used = new Set<string>();
  const typed: string[] = [];
  for (const { path, root } of spaced) {
    root.walkDecls((declaration) => {
      const { prop, value } = declaration;
      for (const [, step] of value.matchAll(/var\((--space-\d+)\)/g)) used.add(step!);
      const isPaper = isInside(declaration, /media/, /print/);
      if (SPACE.test(prop) && LENGTH.test(value) && !isPaper) typed.push(`${path}: ${prop}: ${value}`);
    });
  }
  expect(typed).toEqual([]);

  const steps: string[] = [];
  readSheet(TOKENS).walkDecls(/^--space-/, ({ prop, value }) => {
    expect(value).toBe(`${prop.slice('--space-'.length)}px`);
    steps.push(prop);
  });
  expect(steps).toHaveLength(16);
  expect([...used].sort()).toEqual(steps.sort());
});

test('conditions on the window are asked by name, here and in scripts', () => {
  const names = new Map<string, string>();
  readSheet(BREAKPOINTS).walkAtRules('custom-media', ({ params }) => {
    const [, name = '', condition = ''] = /^(--\w+) (.+)$/.exec(params) ?? [];
    names.set(name, condition);
  });
  expect([...names.values()].filter((condition) => condition.includes('width'))).toHaveLength(5);
  expect(['--phone', '--stacked', '--compact'].map((name) => names.get(name))).toEqual([PHONE, STACKED, COMPACT]);

  const others: string[] = [];
  for (const path of sheets) {
    readSheet(path).walkAtRules('media', ({ params }) => {
      const asked: string[] = params.match(/--\w+/g) ?? [];
      if (/width|height/.test(params) || asked.some((name) => !names.has(name))) others.push(`${path}: ${params}`);
    });
  }
  const widths: string[] = [...names.values()].join(' ').match(/\d+px/g) ?? [];
  for (const path of files.filter((one) => /\.tsx?$/.test(one) && !one.includes('.test.'))) {
    for (const [said, width] of read(path).matchAll(/\((?:(?:min|max)-)?width *[:<>=]+ *(\d+px)\)/g))
      if (said.includes('-') || !widths.includes(width!)) others.push(`${path}: ${said}`);
  }
  expect(others).toEqual([]);
});
