import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterEach, expect, it, vi } from 'vitest';
import { fetchFile } from './fetch-file.ts';

afterEach(() => void vi.restoreAllMocks());

const URL_OF_RESULT = 'https://files.example/result.png';

function answerNames(answer: () => Promise<string[]>) {
  vi.spyOn(Resolver.prototype, 'resolve6').mockRejectedValue(Object.assign(new Error('none'), { code: 'ENODATA' }));
  return vi.spyOn(Resolver.prototype, 'resolve4').mockImplementation(answer);
}

it('a name server that fails is asked again, because the file is paid for', async () => {
  const asked = answerNames(() => Promise.reject(Object.assign(new Error('try again'), { code: 'ESERVFAIL' })));
  await expect(fetchFile(URL_OF_RESULT, [], 0)).rejects.toMatchObject({ kind: 'result_invalid' });
  expect(asked).toHaveBeenCalledTimes(3);
  // Each reads the system's settings anew: another network has other name servers.
  expect(new Set(asked.mock.contexts).size).toBe(3);
});

it.each([['10.0.0.1'], ['1.1.1.1', '10.0.0.1']])(
  'a name with a private address is refused at once',
  async (...found) => {
    const asked = answerNames(() => Promise.resolve(found));
    await expect(fetchFile(URL_OF_RESULT, [], 0)).rejects.toMatchObject({ kind: 'result_invalid' });
    expect(asked).toHaveBeenCalledTimes(1);
  },
);

async function fetchFrom(answer: RequestListener): Promise<Buffer> {
  const server = createServer(answer);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    return await fetchFile(`http://${host}/0`, [host], 0);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

it('a file larger than any result is not read to its end, nor asked for again', async () => {
  const piece = Buffer.alloc(1024 * 1024);
  let sent = 0;
  const endless = fetchFrom((_request, response) => {
    const pieces = function* () {
      for (; sent < 200; sent += 1) yield piece;
    };
    Readable.from(pieces()).pipe(response);
  });
  await expect(endless).rejects.toMatchObject({ kind: 'result_invalid' });
  expect(sent).toBeLessThan(100);
});

it.each([
  [3, true],
  [4, false],
])('%i redirects are followed: %s', async (redirects, isFollowed) => {
  const file = fetchFrom((request, response) => {
    const step = Number(request.url?.slice(1));
    if (step === redirects) response.end('file');
    else response.writeHead(302, { location: `/${step + 1}` }).end();
  });
  const isFile = await file.then(String).then(
    (text) => text === 'file',
    () => false,
  );
  expect(isFile).toBe(isFollowed);
});
