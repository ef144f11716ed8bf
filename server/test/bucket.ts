import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';

/** An S3 server with a bucket in a folder of its own. */
export async function startBucket(): Promise<{
  url: URL;
  settings: Record<string, string>;
  close: () => Promise<void>;
}> {
  const directory = mkdtempSync(join(tmpdir(), 'plinth-bucket-'));
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets: [{ name: 'files', configs: [] }],
  });
  const { port } = await server.run();
  const url = new URL(`http://127.0.0.1:${port}`);
  return {
    url,
    settings: {
      S3_ENDPOINT: url.origin,
      S3_BUCKET: 'files',
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
    },
    close: async () => {
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
