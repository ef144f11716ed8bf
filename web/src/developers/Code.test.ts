import { expect, test } from 'vitest';
import { paintCode } from './Code.tsx';
import { agentSettingsFor, EXAMPLE_ORIGIN, firstCallIn, SAMPLE_LANGUAGES, webhookCheck } from './samples.ts';

test.each([
  ...SAMPLE_LANGUAGES.map((one) => firstCallIn(one, EXAMPLE_ORIGIN)),
  webhookCheck,
  agentSettingsFor(EXAMPLE_ORIGIN),
])('nothing of the code is lost: %.20s', (code) =>
  expect(
    paintCode(code)
      .map(({ text }) => text)
      .join(''),
  ).toBe(code),
);

test('a comment, a text and a word of the language have their kinds, and an address in a text is no comment', () => {
  const kinds = paintCode(`const url = 'https://x'; // "why"\n# from\nimported`).flatMap(({ text, kind }) =>
    kind === undefined ? [] : [[kind, text]],
  );
  expect(kinds).toEqual([
    ['keyword', 'const'],
    ['string', "'https://x'"],
    ['comment', '// "why"'],
    ['comment', '# from'],
  ]);
});
