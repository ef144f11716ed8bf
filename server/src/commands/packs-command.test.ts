import { packIds } from '@plinth/contract/pack-names';
import { expect, it } from 'vitest';
import { runAdmin } from '../../test/admin.ts';
import { listOlder } from './packs-command.ts';

const run = (...words: string[]) => runAdmin({ environment: {} }, ['packs', ...words]);

it('lists the marketplaces that were read longer ago than that, oldest first, with their sources', () => {
  expect(listOlder(90, new Date('2026-11-27'))).toEqual([]);
  const old = listOlder(2, new Date('2026-11-26'));
  expect(old.map(({ asOf }) => asOf)).toEqual(old.map(() => '2026-11-22'));
  expect(old.map(({ id }) => id)).toContain('amazon-main');
  expect(old.map(({ id }) => id)).not.toContain('zalando');
  const later = listOlder(90, new Date('2027-03-01'));
  expect(later.map(({ id }) => id).toSorted()).toEqual([...packIds].toSorted());
  expect(later.map(({ asOf }) => asOf)).toEqual(later.map(({ asOf }) => asOf).toSorted());
});

it('is a command that says so in words and in JSON, and takes days alone', async () => {
  const none = await run('--older-than', '9999d', '--json');
  expect([none.code, JSON.parse(none.out)]).toEqual([0, { packs: [] }]);
  expect(await run('--older-than', '9999d')).toMatchObject({
    code: 0,
    out: 'All of them were read in the last 9999 days.\n',
  });
  expect(await run('--older-than', '3 weeks')).toMatchObject({ code: 64, out: '' });
  expect((await run()).code).toBe(64);
});
