// @vitest-environment jsdom
import { useState } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, onTestFinished, test, vi } from 'vitest';
import { AgentSettings } from '../developers/AgentSettings.tsx';
import { hydrateIsland } from './hydration.tsx';

const state = vi.hoisted(() => ({ isBroken: true }));
vi.mock('../status/StatusFigures.tsx', () => ({ StatusFigures: Breaking }));

function Breaking() {
  const [presses, setPresses] = useState(0);
  if (presses > 0 && state.isBroken) throw new Error('it broke');
  return <button onClick={() => setPresses(presses + 1)}>Press</button>;
}

test('an island that breaks says so in its place, and is tried again with the line back', async () => {
  const reported: unknown[] = [];
  vi.stubGlobal('reportError', (error: unknown) => reported.push(error));
  onTestFinished(() => void vi.unstubAllGlobals());
  document.body.innerHTML = '<h1>Status</h1><div id="status-figures"><button>Press</button></div>';
  const island = document.getElementById('status-figures')!;
  await hydrateIsland(island);
  island.querySelector('button')!.click();
  await vi.waitFor(() => expect(island.querySelector('h1')?.textContent).toBe('This screen stumbled.'));
  expect(reported.map(String)).toEqual(['Error: it broke']);
  state.isBroken = false;
  window.dispatchEvent(new Event('online'));
  await vi.waitFor(() => expect(island.textContent).toBe('Press'));
  expect(document.querySelector('h1')?.textContent).toBe('Status');
});

test('the settings of an agent name this server', async () => {
  document.body.innerHTML = `<div id="agent-settings">${renderToString(<AgentSettings />)}</div>`;
  const island = document.getElementById('agent-settings')!;
  await hydrateIsland(island);
  expect(island.textContent).toContain(`"url": "${window.location.origin}/mcp"`);
});
