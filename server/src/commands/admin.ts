import { constants } from 'node:os';
import { environment } from '../config.ts';
import { runCommand } from './run-command.ts';

/** `npm run admin`: an operator's command as a process. */

// Ended by a signal alone, it would leave the Postgres running that it has started for itself.
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => process.exit(128 + constants.signals[signal]));
const code = await runCommand(process.argv.slice(2), {
  // Read where it can be said in one line that it cannot be.
  get environment() {
    return environment();
  },
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
});
// What does not answer the doctor in time is not waited for, once all is written.
process.stderr.write('', () => process.stdout.write('', () => process.exit(code)));
