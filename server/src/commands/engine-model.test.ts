import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../platform/clock.ts';
import { findEngineModel, readEngineModelSettings } from '../platform/engine-model.ts';
import { parseAddress } from './download.ts';
import { type InstallOptions, installEngineModel, removeEngineModel } from './engine-model.ts';

// A network of 151 bytes: the mean over the channels of a 64 x 64 picture, then a sigmoid (ONNX opset 13, made by hand).
const NETWORK = Buffer.from(
  'CAg6jgEKNQoDaW4wEgRtZWFuIgpSZWR1Y2VNZWFuKgsKBGF4ZXNAAaABByoPCghrZWVwZGltcxgBoAECChQKBG1lYW4SA291dCIHU2lnbW9pZBIB' +
    'Z1odCgNpbjASFgoUCAESEAoCCAEKAggDCgIIQAoCCEBiHQoDb3V0EhYKFAgBEhAKAggBCgIIAQoCCEAKAghAQgIQDQ==',
  'base64',
);
const SHA256 = createHash('sha256').update(NETWORK).digest('hex');
const SETTINGS = { ENGINE_MATTING_MEAN: '0.5,0.5,0.5', ENGINE_MATTING_DEVIATION: '1,1,1' };

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const answers = new Map<string, Answer>();
const asked: IncomingMessage[] = [];
const server = createServer((request, response) => {
  asked.push(request);
  const answer = answers.get(request.url ?? '');
  if (answer) answer(request, response);
  else response.writeHead(404).end();
});
let base: string;
let dataDir: string;
let said: string[];

beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'engine-model-'));
  asked.length = 0;
  said = [];
});

afterEach(() => rm(dataDir, { recursive: true, force: true }));

function install(source: string, more: Partial<InstallOptions> = {}) {
  return installEngineModel({
    repositoryDir: resolve(import.meta.dirname, '..', '..', '..'),
    dataDir,
    clock: systemClock,
    source,
    settings: SETTINGS,
    tell: (line) => said.push(line),
    pauseMs: 1,
    ...more,
  });
}

/** Serves bytes as a good file host does; sends only `cutAt` of the first answer and hangs up. */
function serve(path: string, bytes: Uint8Array, cutAt?: number): string {
  let isFirst = true;
  answers.set(path, (request, response) => {
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    const isPart = from > 0 && request.headers['if-range'] === '"v1"';
    const rest = isPart ? bytes.subarray(from) : bytes;
    response.writeHead(isPart ? 206 : 200, {
      'content-type': 'application/octet-stream',
      'content-length': rest.length,
      etag: '"v1"',
      ...(isPart && { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` }),
    });
    if (isFirst && cutAt !== undefined) {
      isFirst = false;
      response.write(rest.subarray(0, cutAt), () => setTimeout(() => response.destroy(), 500));
    } else response.end(rest);
  });
  return `${base}${path}`;
}

const models = async () => (existsSync(join(dataDir, 'models')) ? readdir(join(dataDir, 'models')) : []);

describe('installing a network', () => {
  it('fetches it, tries it out, notes its hash and hands it to the engine', async () => {
    const source = serve('/good.onnx', NETWORK);
    const model = await install(source, { sha256: SHA256.toUpperCase() });
    expect(model).toMatchObject({ sha256: SHA256, bytes: NETWORK.length, source, settings: SETTINGS });
    expect(await readFile(join(dataDir, 'models', model.file))).toEqual(NETWORK);
    expect(await models()).toEqual([model.file]);
    expect(said.join('\n')).toMatch(/100 % .*\nIt runs: 64 pixels/);
    expect(readEngineModelSettings(dataDir)).toEqual({
      ...SETTINGS,
      ENGINE_MATTING_MODEL: join(dataDir, 'models', model.file),
      ENGINE_MATTING_SHA256: SHA256,
    });
  });

  it('takes a file of this machine, follows a redirect, and can be undone', async () => {
    const path = join(dataDir, 'mine.onnx');
    await writeFile(path, NETWORK);
    expect((await install(path)).sha256).toBe(SHA256);
    answers.set('/moved', (_, response) => response.writeHead(302, { location: '/good.onnx' }).end());
    serve('/good.onnx', NETWORK);
    expect((await install(`${base}/moved`)).sha256).toBe(SHA256);
    removeEngineModel(dataDir);
    expect([findEngineModel(dataDir), await models()]).toEqual([undefined, []]);
    expect(existsSync(path)).toBe(true);
  });

  it('goes on after a cut without fetching anything twice', async () => {
    const model = await install(serve('/cut.onnx', NETWORK, 100));
    expect(model.sha256).toBe(SHA256);
    expect(asked.map(({ headers }) => headers.range)).toEqual([undefined, 'bytes=100-']);
  });

  it('goes on in a later call where an earlier one gave up', async () => {
    const source = serve('/down.onnx', NETWORK, 60);
    const good = answers.get('/down.onnx');
    let calls = 0;
    answers.set('/down.onnx', (request, response) => {
      calls += 1;
      if (calls > 1 && calls <= 5) response.writeHead(503).end();
      else good?.(request, response);
    });
    await expect(install(source)).rejects.toThrow(/answered 503.*go on where it stopped/);
    expect((await install(source)).sha256).toBe(SHA256);
    expect(asked.at(-1)?.headers.range).toBe('bytes=60-');
  });

  it('begins anew when the file has changed in between', async () => {
    const source = serve('/new.onnx', NETWORK.subarray(0, 120), 60);
    const old = answers.get('/new.onnx');
    answers.set('/new.onnx', (request, response) => {
      old?.(request, response);
      answers.set('/new.onnx', (_, later) =>
        later.writeHead(200, { 'content-type': 'application/octet-stream', etag: '"v2"' }).end(NETWORK),
      );
    });
    expect((await install(source)).sha256).toBe(SHA256);
  });
});

describe('what is not installed', () => {
  const refused = async (source: string, reason: RegExp, more: Partial<InstallOptions> = {}) => {
    await expect(install(source, more)).rejects.toThrow(reason);
    expect([findEngineModel(dataDir), await models()]).toEqual([undefined, []]);
  };

  it('a web page, an empty file, noise, half a network', async () => {
    answers.set('/page', (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'));
    await refused(`${base}/page`, /sent a page/);
    await refused(serve('/empty', Buffer.alloc(0)), /of no use: the file is empty/);
    await refused(serve('/noise', Buffer.alloc(5000, 0xa7)), /of no use: the network does not load/);
    await refused(serve('/half', NETWORK.subarray(0, 80)), /of no use: the network does not load/);
    await refused(`${base}/nothing`, /answered 404/);
  });

  it('a network of another size than its preset', async () => {
    const settings = { ENGINE_MATTING_PRESET: 'u2net' };
    await refused(serve('/good.onnx', NETWORK), /takes pictures of 64 pixels, not 320/, { settings });
  });

  it('a file whose hash is not the one given', async () => {
    await refused(serve('/good.onnx', NETWORK), new RegExp(`is ${SHA256}`), { sha256: '0'.repeat(64) });
  });

  it('more than the limit, whether the server says how much comes or not', async () => {
    await refused(serve('/large', Buffer.alloc(3_000_000)), /larger than 1 MiB/, { maxBytes: 1024 ** 2 });
    answers.set('/endless', (_, response) => {
      response.writeHead(200, { 'content-type': 'application/octet-stream' });
      const pour = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
      };
      response.on('drain', pour);
      pour();
    });
    await refused(`${base}/endless`, /larger than 1 MiB/, { maxBytes: 1024 ** 2 });
  });

  it('anything when a setting is wrong: nothing is even fetched', async () => {
    const settings = { ENGINE_MATTING_PRESET: 'best' };
    await refused(serve('/good.onnx', NETWORK), /PRESET must be one of u2net, isnet/, { settings });
    expect(asked).toEqual([]);
  });

  it('a redirect to an address that is not allowed, or one without end', async () => {
    answers.set('/away', (_, response) => response.writeHead(302, { location: 'http://10.0.0.1/x' }).end());
    answers.set('/round', (_, response) => response.writeHead(302, { location: '/round' }).end());
    await refused(`${base}/away`, /must begin with https/);
    await refused(`${base}/round`, /without end/);
  });

  it('a folder, or a file that is not there', async () => {
    await refused(join(dataDir, 'none.onnx'), /There is no file/);
    await refused(dataDir, /is no file/);
  });

  it('leaves an earlier network in use', async () => {
    const earlier = await install(serve('/good.onnx', NETWORK));
    await expect(install(serve('/noise', Buffer.alloc(5000, 0xa7)))).rejects.toThrow();
    expect(findEngineModel(dataDir)).toEqual(earlier);
    expect(await models()).toEqual([earlier.file]);
  });
});

it.each(['http://example.com/x', 'ftp://example.com/x', 'file:///etc/passwd', 'http://127.0.0.1.example.com/'])(
  'does not fetch from %s',
  (address) => {
    expect(() => parseAddress(address)).toThrow('must begin with https');
  },
);
