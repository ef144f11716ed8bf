import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const platform = join(import.meta.dirname, '..', 'src', 'platform');

/** A process in which an emitter without listeners emits `error`, and which then tries to print "alive". */
function run(error: string) {
  const words = `import { EventEmitter } from 'node:events';
    import { createLog } from ${JSON.stringify(join(platform, 'log.ts'))};
    import { surviveLostConnections } from ${JSON.stringify(join(platform, 'machine', 'last-resort.ts'))};
    surviveLostConnections(createLog('warn'));
    setTimeout(() => new EventEmitter().emit('error', ${error}), 10);
    setTimeout(() => process.stdout.write('alive'), 100);`;
  return spawnSync(process.execPath, ['--input-type=module', '-e', words], { encoding: 'utf8' });
}

it.each([
  `new Error('Connection terminated unexpectedly')`,
  `Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })`,
  `Object.assign(new Error('terminating connection due to administrator command'), { code: '57P01' })`,
])('a lost connection that nobody listens to ends no process: %s', (error) => {
  const { status, stdout, stderr } = run(error);
  expect([status, stdout]).toEqual([0, 'alive']);
  expect(stderr).toContain('a connection was lost that nobody listens to');
});

it('any other uncaught error is logged in one line and ends the process', () => {
  const { status, stdout, stderr } = run(`new Error('a fault of ours')`);
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(JSON.parse(stderr)).toMatchObject({ msg: 'uncaught exception' });
});
