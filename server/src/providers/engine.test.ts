import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { describeFields } from '@plinth/contract/tool-fields';
import { tools } from '@plinth/contract/tools';
import { Counter } from 'prom-client';
import { makeEngine } from './engine.ts';
import { mappings } from './mappings.ts';

it('says of hair that it cannot put on, before anybody pays, that the own hair stays', () => {
  const requests = new Counter({ name: 'requests', help: 'of the test', registers: [] });
  const { abilities } = makeEngine({ url: '', key: '', requests }, (tool) => mappings[tool].engine);
  expect(describeFields(tools['headshot-generator'], abilities)).toContainEqual({
    name: 'hairStyle',
    type: 'choice',
    required: false,
    options: ['user_hair', 'target_hair'],
    default: 'user_hair',
    instead: { target_hair: 'The built-in engine keeps your own hair.' },
  });
});

it('takes a file as large as the largest photos make it', async () => {
  const bytes = 115 * 1024 * 1024;
  const engine = createServer((request, response) => {
    request.resume();
    response.write(`${JSON.stringify({ kind: 'queued' })}\n${JSON.stringify({ kind: 'done', bytes })}\n`);
    response.end(Buffer.alloc(bytes));
  });
  await new Promise<void>((resolve) => engine.listen(0, '127.0.0.1', resolve));
  const labelNames = ['provider', 'operation', 'outcome'];
  const requests = new Counter({ name: 'requests', help: 'of the test', labelNames, registers: [] });
  const url = `http://127.0.0.1:${(engine.address() as AddressInfo).port}`;
  const { run } = makeEngine({ url, key: '', requests }, (tool) => mappings[tool].engine);
  const given = { pictures: new Map(), texts: {} };
  const { content } = await run('remover', given, { signal: AbortSignal.timeout(60_000) });
  expect(content).toHaveLength(bytes);
  engine.close();
});

it.each(['before its start', 'at its start'])('a call given up %s only fails, and ends no process', async (when) => {
  const unhandled: unknown[] = [];
  const listen = (reason: unknown) => void unhandled.push(reason);
  process.on('unhandledRejection', listen);
  onTestFinished(() => void process.off('unhandledRejection', listen));
  const labelNames = ['provider', 'operation', 'outcome'];
  const requests = new Counter({ name: 'requests', help: 'of the test', labelNames, registers: [] });
  const { run } = makeEngine({ url: 'http://127.0.0.1:9999', key: '', requests }, (tool) => mappings[tool].engine);
  const picture = { content: Buffer.alloc(300_000), contentType: 'image/png' };
  const stopping = new AbortController();
  if (when === 'before its start') stopping.abort();
  const call = run('remover', { pictures: new Map([['image', picture]]), texts: {} }, { signal: stopping.signal });
  stopping.abort();
  await expect(call).rejects.toThrow('provider_failed');
  await sleep(100);
  expect(unhandled).toEqual([]);
});
