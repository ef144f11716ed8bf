import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { addHealthRoutes } from './health.ts';

it('asks database, storage and queue once a second, however often anybody asks whether they are ready', async () => {
  const http = Fastify();
  let at = 10_000_000;
  let asked = 0;
  let isAway = false;
  const check = async () => {
    asked += 1;
    if (isAway) throw new Error('away');
  };
  const checks = { database: check, storage: check, queue: check };
  let isEngineUp = true;
  const hidden = { clock: () => true, engine: () => isEngineUp };
  addHealthRoutes(http, checks, hidden, { now: () => new Date(at) });
  const ask = async () => (await http.inject('/readyz')).statusCode;
  const answers = await Promise.all(Array.from({ length: 20 }, ask));
  expect([new Set(answers), asked]).toEqual([new Set([200]), 3]);
  // What costs nothing is looked at each time.
  isEngineUp = false;
  expect([await ask(), asked]).toEqual([503, 3]);
  isEngineUp = true;
  isAway = true;
  at += 1000;
  expect([await ask(), await ask(), asked]).toEqual([503, 503, 6]);
  await http.close();
});
