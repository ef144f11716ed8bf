import { expect, test } from 'vitest';
import type { ToolEntry } from '@plinth/contract/generations';
import { narrowTool } from './useTools.ts';

const serve = (kind: ToolEntry['servedBy']['kind']) => ({ servedBy: { kind }, fields: [] }) as unknown as ToolEntry;
const ask = (entry: ToolEntry | undefined) => narrowTool('dress-change', entry).requirements.map(({ says }) => says);

test('what the built-in engine cannot put on is said before anything is paid, and of no other that serves the tool', () => {
  const [bottoms] = ask(serve('built-in')).filter((says) => says.includes('no trousers or skirts'));
  expect(bottoms).toBeTruthy();
  expect(ask(undefined)).toContain(bottoms);
  expect(ask(serve('provider'))).toEqual(ask(serve('built-in')).filter((says) => says !== bottoms));
});
