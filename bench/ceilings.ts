import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import sharp from 'sharp';
import { expectStatus, openConnections, type Round, runRound } from './http-load.ts';

/**
 * What this machine can do at most, measured in the same run: an empty answer, two prepared reads behind it, a debit
 * with its commit, a photo decoded and encoded, a password hashed. Every figure of the product is a share of one of
 * them.
 */

export type Ceiling = { name: string; what: string; rounds: Round[] };
export type CeilingName = 'bare' | 'reads' | 'debit' | 'photo' | 'large photo' | 'hash';
export type Ceilings = Record<CeilingName, Ceiling>;

const ROUNDS = 3;
const SECONDS = 2;

/** A photo with the detail of one, so that it weighs and costs what photos do. */
export async function makePhoto(width: number, height: number): Promise<Buffer> {
  const noise = await sharp({
    create: {
      width: Math.round(width / 8),
      height: Math.round(height / 8),
      channels: 3,
      background: '#808080',
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  })
    .png()
    .toBuffer();
  return sharp(noise).resize(width, height).jpeg({ quality: 85 }).toBuffer();
}

/** Measures all ceilings with a server of its own process beside us, as the product is one. */
export async function measureCeilings(photos: Record<'photo' | 'large photo', string>): Promise<Ceilings> {
  const server = fork(join(import.meta.dirname, 'ceiling-server.ts'), [], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  try {
    const { url } = await say<{ url: string }>(server, undefined);
    const over = async (path: string, connections: number): Promise<Round[]> => {
      const { ask, close } = openConnections(connections);
      const send = async (_line: number, index: number) =>
        void expectStatus(await ask(`${url}/${path}?${index}`), 200, path);
      const round = (seconds: number) => runRound({ connections, seconds, most: Infinity, send });
      await round(1);
      const rounds = await repeat(() => round(SECONDS));
      close();
      return rounds;
    };
    const inside = (work: object, connections: number, most: number) =>
      repeat(() =>
        runRound({
          connections,
          seconds: 20,
          most,
          send: async () => void (await say(server, { ...work, id: randomUUID() })),
        }),
      );
    return {
      bare: { name: 'bare', what: 'an empty answer of node:http', rounds: await over('bare', 20) },
      reads: { name: 'reads', what: 'two prepared reads behind it', rounds: await over('reads', 20) },
      debit: { name: 'debit', what: 'one debit with its commit behind it', rounds: await over('debit', 8) },
      photo: {
        name: 'photo',
        what: 'the same photo decoded and encoded by sharp on all cores',
        rounds: await inside({ photo: photos.photo }, 8, 60),
      },
      'large photo': {
        name: 'large photo',
        what: 'the same with 48 megapixels',
        rounds: await inside({ photo: photos['large photo'] }, 2, 6),
      },
      hash: { name: 'hash', what: 'one password hash', rounds: await inside({ hash: true }, 8, 60) },
    };
  } finally {
    server.kill('SIGTERM');
    await new Promise((gone) => server.once('exit', gone));
  }
}

async function repeat(work: () => Promise<Round>): Promise<Round[]> {
  const rounds: Round[] = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await work());
  return rounds;
}

/** Waits for what the server says: first of itself, then to one question. */
function say<Said>(server: ChildProcess, question: { id: string } | undefined): Promise<Said> {
  return new Promise((resolve, reject) => {
    const hear = (said: { id?: string }) => {
      if (said.id !== question?.id) return;
      server.off('message', hear);
      server.off('exit', fail);
      resolve(said as Said);
    };
    const fail = () => reject(new Error('the server of the ceilings ended'));
    server.on('message', hear);
    server.once('exit', fail);
    server.setMaxListeners(40);
    if (question !== undefined) server.send(question);
  });
}
