/** @module-tag slow */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from './app.ts';
import { makeUser, type TestUser } from './makers.ts';
import { openSocket } from './wire.ts';

let app: TestApp;
let user: TestUser;
beforeAll(async () => {
  app = await startTestApp();
  user = await makeUser(app, { credits: 2 });
});
afterAll(() => app.close());

type Received = { text: string; seconds: number };

/** Sends a start and then one piece per second, until an answer comes or the connection is cut. */
async function trickle(beginning: string, piece: string): Promise<Received> {
  const socket = openSocket(app).setEncoding('latin1');
  const start = performance.now();
  let isOver = false;
  const response = new Promise<Received>((resolve) => {
    const end = (text: string) => {
      isOver = true;
      resolve({ text, seconds: (performance.now() - start) / 1000 });
    };
    socket.once('data', (text: string) => end(text)).once('close', () => end(''));
  });
  socket.on('error', () => undefined).write(beginning);
  while (!isOver) {
    await sleep(1000);
    if (!socket.destroyed) socket.write(piece);
  }
  socket.destroy();
  return response;
}

const head = (path: string, type: string) =>
  `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncookie: ${user.cookie}\r\nidempotency-key: slow-${type.length}\r\n` +
  `content-type: ${type}\r\n`;
const FORM = 'multipart/form-data; boundary=x';
const PART =
  '--x\r\ncontent-disposition: form-data; name="image"; filename="a.jpg"\r\ncontent-type: image/jpeg\r\n\r\n';

describe('somebody who sends', () => {
  it.concurrent('a head letter by letter is cut off after twenty seconds', async () => {
    const { seconds } = await trickle('GET / HTTP/1.1\r\nhost: localhost\r\nx-slow: ', 'a');
    expect(seconds).toBeGreaterThan(15);
    expect(seconds).toBeLessThan(26);
  });

  it.concurrent('JSON letter by letter is answered 408 after half a minute', async () => {
    const { text, seconds } = await trickle(
      `${head('/api/v1/purchases', 'application/json')}content-length: 1000\r\n\r\n{"package":"`,
      'a',
    );
    expect(text).toMatch(/^HTTP\/1.1 408 /);
    expect(text).toContain('"code":"request_timeout"');
    expect(seconds).toBeGreaterThan(25);
    expect(seconds).toBeLessThan(36);
  });

  it.concurrent('a picture at a thousand bytes a second is answered 408 after twenty seconds', async () => {
    const beginning = `${head('/api/v1/tools/remover/generations', FORM)}content-length: 9000000\r\n\r\n${PART}`;
    const { text, seconds } = await trickle(beginning, 'a'.repeat(1000));
    expect(text).toMatch(/^HTTP\/1.1 408 /);
    expect(text).toContain('"code":"request_timeout"');
    expect(seconds).toBeGreaterThan(15);
    expect(seconds).toBeLessThan(26);
  });

  it.concurrent('a picture slowly, but as fast as a poor line, is heard to the end', async () => {
    const whole = 'a'.repeat(23 * 6000);
    const tail = '\r\n--x--\r\n';
    const socket = openSocket(app).setEncoding('latin1');
    const answer = new Promise<string>((resolve) => socket.once('data', (text: string) => resolve(text)));
    const length = PART.length + whole.length + tail.length;
    const beginning = `${head('/api/v1/tools/remover/generations', `${FORM} `)}content-length: ${length}\r\n\r\n`;
    socket.write(beginning + PART);
    for (let at = 0; at < whole.length; at += 6000) {
      await sleep(1000);
      socket.write(whole.slice(at, at + 6000));
    }
    socket.write(tail);
    expect(await answer).toMatch(/^HTTP\/1.1 422 /);
    socket.destroy();
  });
});
