import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from 'kysely';
import { ARCHIVE_MAX_IDS } from '@plinth/contract/limits';
import { archiveUrl } from '@plinth/contract/media';
import { startTestApp, type TestApp } from './app.ts';
import { makeGeneration, makeUser, type TestUser, waitForEnd } from './makers.ts';
import { expectProblem, makeManualClock, type ManualClock, unzip } from './wire.ts';

let clock: ManualClock;
let app: TestApp;
let user: TestUser;
beforeAll(async () => {
  clock = makeManualClock();
  app = await startTestApp({ SWEEP_INTERVAL_SECONDS: '100000' }, clock);
  user = await makeUser(app, { credits: 50 });
});
afterAll(() => app.close());

type Result = { mediaId: string; originalFilename: string; contentUrl: string };

async function makeResult(owner = user): Promise<Result> {
  const { result } = await waitForEnd(owner, (await makeGeneration(owner)).id);
  if (result === null) throw new Error('no result');
  return result;
}

const readContent = async ({ contentUrl }: Result) =>
  Buffer.from(await (await user.fetch(contentUrl)).arrayBuffer()).toString('base64');

describe('an archive of the history', () => {
  it('contains the requested files, or all, byte for byte, and counts as one download', async () => {
    const [one, two, three] = [await makeResult(), await makeResult(), await makeResult()];
    const some = await user.fetch(archiveUrl([one.mediaId, three.mediaId, one.mediaId]));
    expect(some.status).toBe(200);
    expect(some.headers.get('content-type')).toBe('application/zip');
    expect(some.headers.get('content-disposition')).toMatch(
      /^attachment; filename="plinth-history-\d{4}-\d\d-\d\d\.zip"$/,
    );
    expect(some.headers.get('cache-control')).toBe('no-store');
    const files = await unzip(some);
    expect(files.size).toBe(2);
    for (const result of [one, three])
      expect(files.get(result.originalFilename)?.toString('base64')).toBe(await readContent(result));
    expect([...(await unzip(await user.fetch(archiveUrl(null)))).keys()]).toContain(two.originalFilename);
    const head = await user.fetch(archiveUrl(null), { method: 'HEAD' });
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'application/zip']);
    expect(head.headers.get('content-length')).toBeNull();
  });

  it('gives files of the same name distinct names', async () => {
    const owner = await makeUser(app, { credits: 5 });
    const results = [await makeResult(owner), await makeResult(owner)];
    await sql`update generated_media set original_filename = 'same.png' where user_id = ${owner.id}`.execute(app.db);
    const ids = results.map(({ mediaId }) => mediaId);
    expect([...(await unzip(await owner.fetch(archiveUrl(ids)))).keys()].sort()).toEqual(['same-2.png', 'same.png']);
  });

  it('excludes other users’ files, deleted and expired ones, and requires a session', async () => {
    const mine = await makeResult();
    const other = await makeUser(app, { credits: 5 });
    const theirs = await makeResult(other);
    await expectProblem(await user.fetch(archiveUrl([mine.mediaId, theirs.mediaId])), 'not_found');
    for (const id of ['med_never', '\0']) await expectProblem(await user.fetch(archiveUrl([id])), 'not_found');
    await expectProblem(await fetch(app.url + archiveUrl(null)), 'authentication_required');
    await other.fetch(`/api/v1/media/${theirs.mediaId}`, { method: 'DELETE' });
    await expectProblem(await other.fetch(archiveUrl([theirs.mediaId])), 'not_found');
    await expectProblem(await other.fetch(archiveUrl(null)), 'not_found');
  });

  it('refuses a list that is empty or too long, and other parameters', async () => {
    const many = Array.from({ length: ARCHIVE_MAX_IDS + 1 }, (_, index) => `med_${index}`);
    await expectProblem(await user.fetch(archiveUrl(many)), 'invalid_option');
    await expectProblem(await user.fetch(`${archiveUrl(null)}?ids=a&ids=b`), 'invalid_option');
    await expectProblem(await user.fetch(`${archiveUrl(null)}?all=1`), 'unknown_field');
  });
});
