import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { addHealthRoutes } from './health.ts';

it('asks database, storage and queue once for all who ask at the same time, and anew for the next', async () => {
  const http = Fastify();
  let asked = 0;
  let isAway = false;
  const check = async () => {
    asked += 1;
    if (isAway) throw new Error('away');
  };
  let isEngineUp = true;
  addHealthRoutes(
    http,
    { database: check, storage: check, queue: check },
    { clock: () => true, engine: () => isEngineUp },
  );
  const ask = async () => (await http.inject('/readyz')).statusCode;
  expect(new Set(await Promise.all(Array.from({ length: 20 }, ask)))).toEqual(new Set([200]));
  expect(asked).toBeLessThan(20);
  isAway = true;
  const before = asked;
  expect([await ask(), asked]).toEqual([503, before + 3]);
  isAway = false;
  isEngineUp = false;
  expect(await ask()).toBe(503);
  await http.close();
});
