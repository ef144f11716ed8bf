import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { makeSession } from '../../test/makers.ts';
import { breakOff, hangUp, inTurn, json, refuse, startServer, type Answer, type Answers } from '../../test/server.ts';
import { ApiError, createApi } from './api.ts';

async function setUp(answers: Answers) {
  const { origin, asked, server } = await startServer(answers);
  const waits: number[] = [];
  const ends: (string | null)[] = [];
  let nowMs = 0;
  const api = createApi({
    origin,
    now: () => nowMs,
    sleep: async (ms) => {
      waits.push(ms);
      nowMs += ms;
    },
    onSessionEnd: (sentence) => ends.push(sentence),
  });
  return { api, asked, server, waits, ends };
}

const credits = z.object({ credits: z.int() });

describe('answers', () => {
  test('a problem document becomes its code, its sentence, its fields and its request id', async () => {
    const fields = [
      { field: 'prompt', code: 'prompt_required' as const, detail: 'Please provide a scene description' },
    ];
    const { api } = await setUp({ 'GET /x': refuse('prompt_required', fields) });
    const error = await api.send('/x', credits).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      code: 'prompt_required',
      status: 422,
      message: 'Please provide a scene description',
      fields,
      requestId: 'req_1',
    });
  });

  test('an answer that is no problem document never shows its text', async () => {
    const { api } = await setUp({
      'GET /x': (_request, response) => void response.writeHead(500).end('<h1>stack</h1>'),
    });
    await expect(api.send('/x', credits)).rejects.toMatchObject({
      code: 'unexpected',
      message: 'An unexpected error occurred. Please try again.',
    });
  });

  test('an answer of another shape is refused at the border', async () => {
    const { api } = await setUp({ 'GET /x': json({ credits: 'many' }) });
    await expect(api.send('/x', credits)).rejects.toMatchObject({ code: 'unexpected', status: 200 });
  });

  test('an answer that breaks off is no answer', async () => {
    const { api } = await setUp({ 'POST /x': breakOff });
    await expect(api.send('/x', credits, { method: 'POST' })).rejects.toMatchObject({ code: 'network' });
  });

  test('a broken line is a network failure with status 0', async () => {
    const { api } = await setUp({ 'GET /x': hangUp });
    await expect(api.send('/x', credits)).rejects.toMatchObject({ code: 'network', status: 0 });
  });
});

describe('an answer that does not come', () => {
  test('a file that is gone by now is no broken line', async () => {
    const { api } = await setUp({ 'POST /x': hangUp });
    vi.spyOn(Blob.prototype, 'slice').mockReturnValue({
      arrayBuffer: () => Promise.reject(new Error('gone')),
    } as never);
    onTestFinished(() => void vi.restoreAllMocks());
    const form = new FormData();
    form.set('image', new File(['a picture'], 'mug.jpg'));
    await expect(api.send('/x', credits, { method: 'POST', form })).rejects.toMatchObject({
      code: 'image_read_failed',
      status: 0,
      message: 'Failed to read image file. Please try again.',
    });
  });

  test('is awaited for a while, but for that to a file as long as it takes', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => AbortSignal.abort());
    onTestFinished(() => timeout.mockRestore());
    const { api } = await setUp({ 'GET /x': () => {}, 'POST /x': json({ credits: 3 }) });
    await expect(api.send('/x', credits)).rejects.toMatchObject({ code: 'network' });
    const sent = { method: 'POST', form: new FormData() };
    await expect(api.send('/x', credits, sent)).resolves.toEqual({ credits: 3 });
  });

  test('is given up without a word of the line by whoever asked', async () => {
    const { api } = await setUp({ 'GET /x': () => {} });
    const stopped = api.send('/x', credits, { signal: AbortSignal.abort(new Error('stopped')) });
    await expect(stopped).rejects.toThrow('stopped');
  });
});

describe('a server that is busy for a moment', () => {
  const busy =
    (retryAfter: string): Answer =>
    (request, response) => {
      response.setHeader('retry-after', retryAfter);
      return refuse('temporarily_unavailable')(request, response);
    };
  const post = { method: 'POST', form: new FormData(), idempotencyKey: 'key-1' };

  test('is asked again with the same key when it said, twice at most', async () => {
    const { api, asked, waits } = await setUp({ 'POST /x': inTurn(busy('2'), busy('1'), json({ credits: 3 })) });
    await expect(api.send('/x', credits, post)).resolves.toEqual({ credits: 3 });
    expect([asked.length, waits]).toEqual([3, [2000, 1000]]);
    const { api: other, asked: all } = await setUp({ 'POST /x': busy('2') });
    await expect(other.send('/x', credits, post)).rejects.toMatchObject({ code: 'temporarily_unavailable' });
    expect(all).toHaveLength(3);
  });

  test.each([
    ['a request without a key', busy('2'), { method: 'POST', body: {} }],
    ['one that would have to wait for long', busy('10'), post],
    ['one that is not told when', refuse('temporarily_unavailable'), post],
    ['one that is refused', refuse('insufficient_credits'), post],
  ])('%s is sent once', async (_what, answer, send) => {
    const { api, asked } = await setUp({ 'POST /x': answer });
    await expect(api.send('/x', credits, send)).rejects.toBeInstanceOf(ApiError);
    expect(asked).toHaveLength(1);
  });
});

describe('refresh', () => {
  const REFRESH = 'POST /api/v1/auth/refresh';

  test('is repeated after 502, 503, 504 and a broken line, with a wait that doubles from 200 ms', async () => {
    const answer = inTurn(refuse('temporarily_unavailable'), hangUp, json({}, 502), json({}, 504), json(makeSession()));
    const { api, waits, ends } = await setUp({ [REFRESH]: answer });
    await expect(api.refresh()).resolves.toMatchObject({ user: { id: 'usr_1' } });
    expect(waits).toEqual([200, 400, 800, 1600]);
    expect(ends).toEqual([]);
  });

  test('gives up within 30 s without ending the session', async () => {
    const { api, waits, ends } = await setUp({ [REFRESH]: refuse('temporarily_unavailable') });
    await expect(api.refresh()).rejects.toMatchObject({ status: 503 });
    expect(waits.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(30_000);
    expect(ends).toEqual([]);
  });

  test('asks once, however many ask for it', async () => {
    const { api, asked } = await setUp({ [REFRESH]: json(makeSession()) });
    await Promise.all([api.refresh(), api.refresh(), api.refresh()]);
    expect(asked).toHaveLength(1);
  });

  test('a request that lost its session is sent again after the refresh', async () => {
    const { api, ends } = await setUp({
      'GET /x': inTurn(refuse('authentication_required'), json({ credits: 3 })),
      [REFRESH]: json(makeSession()),
    });
    await expect(api.send('/x', credits)).resolves.toEqual({ credits: 3 });
    expect(ends).toEqual([]);
  });

  test.each([
    ['refresh_token_not_found', 'Session expired. Please log in again.'],
    ['no_active_session', null],
    ['internal_error', 'Authentication error. Please try logging in again.'],
  ] as const)('refused with %s it ends the session and says: %s', async (code, sentence) => {
    const { api, ends } = await setUp({
      'GET /x': refuse('authentication_required'),
      [REFRESH]: refuse(code),
      'POST /api/v1/auth/sign-out': json({}, 204),
    });
    await expect(api.send('/x', credits)).rejects.toBeInstanceOf(ApiError);
    expect(ends).toEqual([sentence]);
  });

  test.each([
    ['internal_error', json({}, 204), 'Authentication error. Please try logging in again.'],
    ['internal_error', refuse('internal_error'), 'An unexpected error occurred. Please refresh the page.'],
    ['internal_error', hangUp, 'An unexpected error occurred. Please refresh the page.'],
    ['refresh_token_not_found', refuse('internal_error'), 'Session expired. Please log in again.'],
  ] as const)(
    'refused with %s it signs out where the cookie may still be valid (%#)',
    async (code, signOut, sentence) => {
      const { api, asked, ends } = await setUp({ [REFRESH]: refuse(code), 'POST /api/v1/auth/sign-out': signOut });
      await expect(api.refresh()).rejects.toMatchObject({ code });
      expect(ends).toEqual([sentence]);
      expect(asked.includes('POST /api/v1/auth/sign-out')).toBe(code === 'internal_error');
    },
  );

  test('says that the session expired also when the server has cleared the dead cookie meanwhile', async () => {
    const { api, ends } = await setUp({
      'GET /api/v1/session': refuse('refresh_token_not_found'),
      [REFRESH]: refuse('no_active_session'),
    });
    await api.send('/api/v1/session', credits).catch(() => undefined);
    expect(ends).toEqual(['Session expired. Please log in again.']);
  });

  test('wrong credentials are no lost session', async () => {
    const { api, asked } = await setUp({ 'POST /in': refuse('invalid_credentials') });
    await expect(api.send('/in', credits, { method: 'POST', body: {} })).rejects.toMatchObject({
      code: 'invalid_credentials',
    });
    expect(asked).toEqual(['POST /in']);
  });
});

describe('a page that shows somebody', () => {
  const other = makeSession({ user: { ...makeSession().user, id: 'usr_b' } });
  const shows = async (answers: Answers) => {
    const { origin, asked } = await startServer(answers);
    const entered: string[] = [];
    const onSession = ({ user }: { user: { id: string } }) => void entered.push(user.id);
    return { api: createApi({ origin, shownUser: () => 'usr_a', onSession }), asked, entered };
  };

  test('says so with every request but for who is signed in', async () => {
    const seen: unknown[] = [];
    const note: Answer = (request, response) => {
      seen.push(request.headers['plinth-shown-user']);
      void json({ credits: 1 })(request, response);
    };
    const { api } = await shows({ 'GET /x': note });
    await api.send('/x', credits);
    await api.send('/x', credits, { isForAnyone: true });
    expect(seen).toEqual(['usr_a', undefined]);
  });

  test('acts for nobody else who has signed in since, and shows that person from then on', async () => {
    const { api, asked, entered } = await shows({
      'POST /x': refuse('authentication_required'),
      'POST /api/v1/auth/refresh': json(other),
    });
    const error = await api.send('/x', credits, { method: 'POST' }).catch((cause: unknown) => cause);
    expect(error).toMatchObject({ code: 'authentication_required' });
    expect(asked.filter((one) => one === 'POST /x')).toHaveLength(1);
    expect(entered).toEqual(['usr_b']);
  });
});
