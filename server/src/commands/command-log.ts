import { appendFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import type pino from 'pino';
import { readConfig } from '../config.ts';
import { createLog } from '../platform/log.ts';
import type { Shell } from './arguments.ts';

/** Appends a line about a command that may have changed something to `admin.log`, or to standard error. */
export function noteCommand(shell: Shell, command: string, code: number, notes: object[]): void {
  const more = notes.reduce((all, one) => ({ ...all, ...one }), {});
  const line = { event: 'admin_command', command, code, operator: userInfo().username, ...more };
  createLog('info', openCommandLog(shell), 'admin').info(line, 'operator command');
}

/** What cannot be written ends no command: that has done its work. */
function openCommandLog({ environment, err }: Shell): pino.DestinationStream {
  return {
    write: (line) => {
      try {
        const { DATA_DIR } = readConfig(environment);
        appendFileSync(join(DATA_DIR, 'admin.log'), line, { mode: 0o600 });
      } catch {
        // Wrong settings, no such folder, a file of somebody else, no room.
        err(line);
      }
    },
  };
}
