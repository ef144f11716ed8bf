import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import sharp from 'sharp';
import { expectStatus, openConnections, type Round, runRound } from './http-load.ts';

/**
 * The machine's maximum rates, measured in the same run: an empty response, two prepared reads, a debit with its
 * commit, decoding and encoding a photo, a password hash. Each figure of the product is a share of one of them,
 * measured right before it, because a shared machine's speed varies.
 */

export type Ceiling = {
  name: string;
  what: string;
  /** Measures one more round and adds it to `rounds`. */
  round: () => Promise<Round>;
  rounds: Round[];
};
type CeilingName = 'bare' | 'reads' | 'debit' | 'photo' | 'large photo' | 'hash';
export type Ceilings = Record<CeilingName, Ceiling>;

const SECONDS = 2;

/** Returns a picture with the detail of a photo, so that its size and cost are a photo's. */
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

/** Starts the server of the ceilings in its own process, like the product. It is idle until it gets a request. */
export async function openCeilings(
  photos: Record<'photo' | 'large photo', string>,
): Promise<{ ceilings: Ceilings; close: () => Promise<void> }> {
  const server = fork(join(import.meta.dirname, 'ceiling-server.ts'), [], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const { url } = await send<{ url: string }>(server, undefined);
  const over = (path: string, connections: number) => async (): Promise<Round> => {
    const { ask, close } = openConnections(connections);
    const sendOne = async (_line: number, index: number) =>
      void expectStatus(await ask(`${url}/${path}?${index}`), 200, path);
    const round = (seconds: number) => runRound({ connections, seconds, most: Infinity, send: sendOne });
    await round(0.3);
    const measured = await round(SECONDS);
    close();
    return measured;
  };
  const inside = (work: object, connections: number, most: number) => () => {
    const sendOne = async () => void (await send(server, { ...work, id: randomUUID() }));
    return runRound({ connections, seconds: 20, most, send: sendOne });
  };
  const ceilings: Ceilings = {
    bare: toCeiling('bare', 'an empty answer of node:http', over('bare', 20)),
    reads: toCeiling('reads', 'two prepared reads behind it', over('reads', 20)),
    debit: toCeiling('debit', 'one debit with its commit behind it', over('debit', 8)),
    photo: toCeiling(
      'photo',
      'the same photo decoded and encoded by sharp on all cores',
      inside({ photo: photos.photo }, 8, 60),
    ),
    'large photo': toCeiling(
      'large photo',
      'the same with 48 megapixels',
      inside({ photo: photos['large photo'] }, 2, 6),
    ),
    hash: toCeiling('hash', 'one password hash', inside({ hash: true }, 8, 60)),
  };
  const close = async () => {
    server.kill('SIGTERM');
    await new Promise((gone) => server.once('exit', gone));
  };
  return { ceilings, close };
}

function toCeiling(name: string, what: string, run: () => Promise<Round>): Ceiling {
  const rounds: Round[] = [];
  const round = async () => {
    const measured = await run();
    rounds.push(measured);
    return measured;
  };
  return { name, what, round, rounds };
}

/** Sends a request and resolves with the server's response. Without one, waits for its first message. */
function send<Response>(server: ChildProcess, request: { id: string } | undefined): Promise<Response> {
  return new Promise((resolve, reject) => {
    const receive = (response: { id?: string }) => {
      if (response.id !== request?.id) return;
      server.off('message', receive);
      server.off('exit', fail);
      resolve(response as Response);
    };
    const fail = () => reject(new Error('the server of the ceilings ended'));
    server.on('message', receive);
    server.once('exit', fail);
    server.setMaxListeners(40);
    if (request !== undefined) server.send(request);
  });
}
