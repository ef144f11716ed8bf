// @vitest-environment jsdom
import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import { holdEarlyEvents } from './early-events.ts';
import { hydrateIsland } from './hydration.tsx';
import { FirstCall } from '../developers/FirstCall.tsx';

test('the language that is chosen before the script is there is shown once it is', async () => {
  document.body.innerHTML = `<div id="first-call">${renderToString(<FirstCall />)}</div>`;
  const island = document.getElementById('first-call')!;
  const shown = () => [...island.querySelectorAll('pre')].flatMap((code) => (code.hidden ? [] : [code.ariaLabel]));
  const replayEarlyEvents = holdEarlyEvents(island);
  island.querySelector<HTMLInputElement>('[value=Python]')!.click();
  expect(shown()).toEqual(['First call in curl']);
  await hydrateIsland(island);
  await replayEarlyEvents();
  expect(shown()).toEqual(['First call in Python']);
});
