import { constants } from 'node:os';
import { environment } from '../config.ts';
import { runCommand } from './run-command.ts';

/** `npm run admin`: runs an operator's command. */

// Ended by a signal alone, it would leave the Postgres running that it has started for itself.
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => process.exit(128 + constants.signals[signal]));
const code = await runCommand(process.argv.slice(2), {
  // Imported here, so that a failure can be reported in one line.
  get environment() {
    return environment();
  },
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
});
// Once all output is written, do not wait for connections that never answered the doctor.
process.stderr.write('', () => process.stdout.write('', () => process.exit(code)));
