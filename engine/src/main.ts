import { mkdir } from 'node:fs/promises';
import { Socket, type AddressInfo } from 'node:net';
import { ConfigError, readConfig, type Config } from './config.ts';
import { errorText, log } from './log.ts';
import { Pool } from './pool/pool.ts';
import { addTaskRoute, makeHttp } from './wire/tasks.ts';

const EXIT_WITHIN_MS = 1500;
let isClosing = false;

const config = readConfigOrExit();

// The pool first, so that its worker loads its libraries while the server starts.
const pool = new Pool(config);
const http = makeHttp();
process.once('SIGTERM', close);
process.once('SIGINT', close);
// Never outlive the server that started this process, even if it was killed or is gone already.
process.once('disconnect', close);
if (process.connected === false) close();
if (process.stdin instanceof Socket && !process.stdin.isTTY)
  process.stdin.once('end', close).once('close', close).resume();

await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
await addTaskRoute(http, { pool, key: config.key, scratchDir: config.dataDir });
await Promise.all([http.listen({ port: config.port, host: config.host }), pool.whenReady()]);
const { port } = http.server.address() as AddressInfo;
process.stdout.write(`${JSON.stringify({ event: 'listening', port })}\n`);

function readConfigOrExit(): Config {
  try {
    return readConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(2);
  }
}

function close(): void {
  if (isClosing) return;
  isClosing = true;
  setTimeout(() => process.exit(0), EXIT_WITHIN_MS).unref();
  void http.close().catch((error: unknown) => log('fault', { error: errorText(error) }));
  void pool.close().then(() => process.exit(0));
}
