import { environment } from '../config.ts';
import { runCommand } from './run-command.ts';

/** `npm run admin`: an operator's command as a process. */

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
