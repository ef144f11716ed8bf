import { Resolver } from 'node:dns/promises';
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
});

it.each([['10.0.0.1'], ['1.1.1.1', '10.0.0.1']])(
  'a name with a private address is refused at once',
  async (...found) => {
    const asked = answerNames(() => Promise.resolve(found));
    await expect(fetchFile(URL_OF_RESULT, [], 0)).rejects.toMatchObject({ kind: 'result_invalid' });
    expect(asked).toHaveBeenCalledTimes(1);
  },
);
