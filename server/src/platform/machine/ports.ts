import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * A port on loopback that nobody listens on, below those that systems give to connections (on Linux from 32 768,
 * net.ipv4.ip_local_port_range): whoever is started again there finds it free, and a client that tries it meanwhile is
 * never connected to itself.
 */
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
