import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** A free loopback port below the ephemeral range (Linux: from 32768), so that it stays free for restarts. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(15_000, 32_768);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
    );
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
