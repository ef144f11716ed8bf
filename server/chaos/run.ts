import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { migrate } from '../src/commands/migrate.ts';
import { openDatabase } from '../src/platform/data/db.ts';
import { startEmbeddedPostgres } from '../src/platform/machine/embedded-postgres.ts';
import { makeUser } from '../test/makers.ts';
import { startProduct } from '../test/product.ts';
import { startScriptedProvider } from '../test/provider-script.ts';
import { makeRandom } from './random.ts';
import { HOSTILE_SETTINGS, sendBrokenPictures, sendBrokenRequests, sendHostileFiles } from './hostile.ts';
import { type Round, runRounds } from './rounds.ts';

/**
 * npm run chaos -- [--seed N] [--rounds N] [--from N] [--lanes N] [--built-in]: breaks the whole product, round by
 * round. npm run chaos -- hostile [--seed N] [--pictures N] [--requests N]: sends corrupt input. Exit 1: an invariant
 * was violated; the last line says how to reproduce it.
 */

const say = (text: string) => process.stdout.write(`${text}\n`);
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: String(Math.floor(Date.now() / 1000)) },
    rounds: { type: 'string', default: '500' },
    from: { type: 'string', default: '0' },
    lanes: { type: 'string', default: '2' },
    'built-in': { type: 'boolean', default: false },
    pictures: { type: 'string', default: '2000' },
    requests: { type: 'string', default: '5000' },
  },
});
const seed = Number(values.seed);
const start = performance.now();
process.exitCode = positionals[0] === 'hostile' ? await runHostile() : await runChaos();
say(`${Math.round((performance.now() - start) / 1000)} s, load ${(loadavg()[0] ?? 0).toFixed(1)}`);

/** Each lane is a world of its own; in every other lane the provider stands in for the built-in engine. */
async function runChaos(): Promise<number> {
  const [rounds, from] = [Number(values.rounds), Number(values.from)];
  const lanes = Math.min(Number(values.lanes), rounds);
  const share = Math.ceil(rounds / lanes);
  const done: Round[] = [];
  const broken = await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      const isPaid = !values['built-in'] && lane % 2 === 0;
      const first = from + lane * share;
      const report = (round: Round) => {
        done.push(round);
        say(`round ${round.number}, ${round.seconds.toFixed(1)} s: ${round.faults.join('; ')}`);
      };
      const options = { seed, from: first, rounds: Math.min(share, from + rounds - first), isPaid, report };
      const round = await runRounds(options);
      if (round === undefined) return 0;
      for (const breach of round.breaches) say(`BREACH ${breach}`);
      say(`again: npm run chaos -- --seed ${seed} --from ${round.number} --rounds 1${isPaid ? '' : ' --built-in'}`);
      return 1;
    }),
  );
  const breaches = broken.filter((one) => one > 0).length;
  const seconds = done.map((round) => round.seconds).sort((a, b) => a - b);
  say(
    `seed ${seed}: ${done.length} rounds, ${breaches} broken; median ${seconds[seconds.length >> 1]?.toFixed(1)} s, longest ${seconds.at(-1)?.toFixed(1)} s`,
  );
  return breaches === 0 ? 0 : 1;
}

async function runHostile(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'plinth-hostile-'));
  const postgres = await startEmbeddedPostgres(join(folder, 'postgres'), 'only-for-this-run');
  await migrate(postgres.url);
  const database = openDatabase(postgres.url);
  const provider = await startScriptedProvider();
  const product = await startProduct({
    DATA_DIR: folder,
    DATABASE_URL: postgres.url,
    FAL_KEY: 'key:of-the-chaos',
    FAL_QUEUE_URL: provider.url,
    FAL_REST_URL: provider.url,
    FAL_RUN_URL: provider.url,
    RESULT_HOSTS: provider.host,
    ...HOSTILE_SETTINGS,
  });
  const target = { product, user: () => makeUser({ url: product.url, db: database.db }, { credits: 1_000_000 }) };
  const random = makeRandom(seed);
  const faults = [
    ...(await sendHostileFiles(target)),
    ...(await sendBrokenPictures(target, random, Number(values.pictures))),
    ...(await sendBrokenRequests(target, random, Number(values.requests))),
  ];
  for (const fault of faults) say(`BREACH ${fault}`);
  say(
    `seed ${seed}: every class of file, ${values.pictures} pictures, ${values.requests} requests, ${faults.length} faults`,
  );
  await product.stop();
  await database.close();
  await provider.close();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
  return faults.length === 0 ? 0 : 1;
}
