import { agentSettings, firstCalls, SAMPLE_LANGUAGES, webhookCheck } from '@plinth/contract/api/samples';
import { expect, test } from 'vitest';
import { paintCode } from './Code.tsx';

const ORIGIN = 'https://plinth.example';

test.each([...SAMPLE_LANGUAGES.map((one) => firstCalls[one](ORIGIN)), webhookCheck, agentSettings(ORIGIN)])(
  'nothing of the code is lost: %.20s',
  (code) =>
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
