import { expect, test } from 'vitest';
import type { ToolEntry } from '@plinth/contract/generations';
import { toolIds, tools } from '@plinth/contract/tools';
import { narrowTool } from './useTools.ts';

const serve = (kind: ToolEntry['servedBy']['kind']) => ({ servedBy: { kind }, fields: [] }) as unknown as ToolEntry;
const ask = (entry: ToolEntry | undefined) => narrowTool('dress-change', entry).requirements.map(({ says }) => says);

test('what the built-in engine cannot put on is said before anything is paid, and of no other that serves the tool', () => {
  const [bottoms] = ask(serve('built-in')).filter((says) => says.includes('no trousers or skirts'));
  expect(bottoms).toBeTruthy();
  expect(ask(undefined)).toContain(bottoms);
  expect(ask(serve('provider'))).toEqual(ask(serve('built-in')).filter((says) => says !== bottoms));
});

test.each(toolIds)(
  'while little is measured, %s takes the time of what serves it, of a hosted model until known',
  (id) => {
    const [hosted, unknown, builtIn] = [serve('provider'), undefined, serve('built-in')].map((entry) => {
      const { wait, start } = narrowTool(id, entry).says;
      return { wait, start };
    });
    expect(hosted).toEqual({ wait: tools[id].says.wait, start: tools[id].says.start });
    expect(unknown).toEqual(hosted);
    expect(builtIn?.wait).toMatch(/^Usually .* seconds\.$/);
    expect(Object.values(builtIn ?? {}).join(' ')).not.toContain('2-3 minutes');
  },
);
