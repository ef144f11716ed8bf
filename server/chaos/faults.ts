import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { checkpoints } from '../src/generations/run.ts';
import type { Behaviour } from '../test/provider-script.ts';
import type { Random } from './random.ts';
import type { Order } from './process.ts';
import { isDead, type Member, type World } from './world.ts';

/** Faults to inject. Each returns a description and repairs what it broke after a moment. */
type Fault = (world: World, random: Random) => Promise<string>;

const FAULTS: [weight: number, fault: Fault][] = [
  [6, killAtStep],
  [2, (world, random) => restartMember(world, random.pick(world.members), 'SIGKILL')],
  [2, (world, random) => restartMember(world, random.pick(world.members), 'SIGTERM')],
  [1, restartAll],
  [3, cutConnections],
  [1, killDatabase],
  [2, (world, random) => freeze(world, 'database', 300 + random.below(2000))],
  [2, (world, random) => freeze(world, 'provider', 300 + random.below(2000))],
  [2, (world, random) => freeze(world, 'bucket', 300 + random.below(2000))],
  [
    2,
    (world, random) => shut(world, random.pick(['database', 'provider', 'bucket'] as const), 200 + random.below(1500)),
  ],
  [3, breakProvider],
  [2, stepClock],
];

/** Injects one to three faults within the first second; returns their descriptions once all are over. */
export async function injectFaults(world: World, random: Random): Promise<string[]> {
  const all = FAULTS.flatMap(([weight, fault]) => Array.from({ length: weight }, () => fault));
  const chosen = Array.from({ length: 1 + random.below(3) }, () => ({
    fault: random.pick(all),
    afterMs: random.below(900),
  }));
  return Promise.all(
    chosen.map(async ({ fault, afterMs }) => {
      await sleep(afterMs);
      return fault(world, random);
    }),
  );
}

/** Restores everything that the product need not recover by itself. */
export async function repair(world: World): Promise<void> {
  world.provider.behave({});
  for (const proxy of Object.values(world.proxies)) proxy.reopen();
  await Promise.all(
    world.members.map(async (member) => {
      // A process that dies of an earlier order before confirming the new one is restarted like all others.
      do {
        while (member.isChanging) await sleep(20);
        if (isDead(member)) await world.revive(member);
        await sendOrder(member, { crashAt: '', aheadSeconds: 0 });
      } while (isDead(member));
    }),
  );
}

/** Resolves when the process has confirmed the order or is dead. */
function sendOrder({ product: { child } }: Member, order: Order): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      child.off('message', finish).off('exit', finish);
      resolve();
    };
    child.on('message', finish).on('exit', finish);
    if (child.exitCode !== null || child.signalCode !== null) finish();
    else if (child.connected) child.send({ crashAt: '', ...order }, () => undefined);
  });
}

async function killAtStep(world: World, random: Random): Promise<string> {
  const crashAt = random.pick(checkpoints);
  const member = random.pick(world.members.filter(({ role }) => role === 'worker'));
  await sendOrder(member, { crashAt });
  return `a worker dies at ${crashAt}`;
}

async function restartMember(world: World, member: Member, signal: 'SIGKILL' | 'SIGTERM'): Promise<string> {
  if (member.isChanging) return 'nothing';
  member.isChanging = true;
  const { child } = member.product;
  const exited = new Promise((resolve) => (isDead(member) ? resolve(undefined) : child.once('exit', resolve)));
  child.kill(signal);
  await exited;
  // A start needs the database, so it is retried, as npm start does.
  for (;;) {
    try {
      await world.revive(member);
      break;
    } catch {
      await sleep(200);
    }
  }
  member.isChanging = false;
  return `${signal} to a ${member.role}`;
}

/** Restarts processes one after the other, like a rolling update. */
async function restartAll(world: World): Promise<string> {
  for (const member of world.members) await restartMember(world, member, 'SIGTERM');
  return 'all restart in turn';
}

async function cutConnections(world: World): Promise<string> {
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`
    .execute(world.database.db)
    .catch(() => undefined);
  return 'all connections to the database are cut';
}

/** Kills one Postgres process, so that Postgres discards everything uncommitted. */
async function killDatabase(world: World): Promise<string> {
  const found = await sql<{ pid: number }>`
    select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() limit 1`
    .execute(world.database.db)
    .catch(() => ({ rows: [] }));
  const pid = found.rows[0]?.pid;
  try {
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
  } catch {
    return 'Postgres has just crashed';
  }
  return 'Postgres crashes';
}

async function freeze(world: World, proxy: keyof World['proxies'], ms: number): Promise<string> {
  world.proxies[proxy].freeze();
  await sleep(ms);
  world.proxies[proxy].reopen();
  return `${proxy} says nothing for ${ms} ms`;
}

async function shut(world: World, proxy: keyof World['proxies'], ms: number): Promise<string> {
  world.proxies[proxy].shut();
  await sleep(ms);
  world.proxies[proxy].reopen();
  return `${proxy} is away for ${ms} ms`;
}

async function breakProvider(world: World, random: Random): Promise<string> {
  const moods = {
    'refuses every other submit': { submit: everyOther((response) => void response.writeHead(500).end('{}')) },
    'hangs up after a submit': { submit: everyOther((response) => void response.destroy()) },
    'loses requests': { status: () => ({ httpStatus: 404, body: { detail: 'unknown' } }) },
    'answers nonsense': { status: () => ({ body: { status: 'PURPLE' } }) },
    'sends no file': {
      file: (response: Hung) => (response.writeHead(200, { 'content-type': 'image/png' }).end('x'), true),
    },
    'takes its time': { polls: 30 },
    'has no result': { result: () => ({ body: {} }) },
    'is full': {
      // A request refused like this was surely not accepted and may be repeated.
      submit: everyOther((response, job) => {
        world.provider.submits.splice(world.provider.submits.indexOf(job), 1);
        response.writeHead(429, { 'retry-after': '1' }).end('{}');
      }),
    },
  };
  const name = random.pick(Object.keys(moods) as (keyof typeof moods)[]);
  world.provider.behave(moods[name]);
  await sleep(1000);
  world.provider.behave({});
  return `the provider ${name}`;
}

type Hung = Parameters<NonNullable<Behaviour['file']>>[0];
type Submit = NonNullable<Behaviour['submit']>;

function everyOther(answer: (...asked: Parameters<Submit>) => void): Submit {
  let count = 0;
  return (response, job) => {
    count += 1;
    if (count % 2 === 0) return false;
    answer(response, job);
    return true;
  };
}

async function stepClock(world: World, random: Random): Promise<string> {
  const aheadSeconds = random.below(400) - 200;
  const member = random.pick(world.members);
  await sendOrder(member, { aheadSeconds });
  await sleep(800);
  await sendOrder(member, { aheadSeconds: 0 });
  return `the clock of a ${member.role} is ${aheadSeconds} s ahead`;
}
