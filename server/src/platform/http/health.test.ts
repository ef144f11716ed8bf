import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { addHealthRoutes } from './health.ts';

it('asks database, storage and queue once for all who ask at the same time, and anew for the next', async () => {
  const http = Fastify();
  let checks = 0;
  let isUnavailable = false;
  const check = async () => {
    checks += 1;
    if (isUnavailable) throw new Error('away');
  };
  let isEngineUp = true;
  addHealthRoutes(
    http,
    { database: check, storage: check, queue: check },
    { clock: () => true, engine: () => isEngineUp },
  );
  const ask = async () => (await http.inject('/readyz')).statusCode;
  expect(new Set(await Promise.all(Array.from({ length: 20 }, ask)))).toEqual(new Set([200]));
  expect(checks).toBeLessThan(20);
  isUnavailable = true;
  const before = checks;
  expect([await ask(), checks]).toEqual([503, before + 3]);
  isUnavailable = false;
  isEngineUp = false;
  expect(await ask()).toBe(503);
  await http.close();
});
