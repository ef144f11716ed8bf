import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { environment, readConfig } from '../config.ts';
import { createLog } from '../platform/log.ts';

/**
 * Writes one line about a command that may have changed something: into `admin.log` of the data folder, because what a
 * terminal shows is gone with it; on standard error where that cannot be written.
 */
export function noteCommand(command: string, code: number, notes: object[]): void {
  const more = notes.reduce((all, one) => ({ ...all, ...one }), {});
  const line = { event: 'admin_command', command, code, operator: userInfo().username, ...more };
  createLog('info', openCommandLog(), 'admin').info(line, 'operator command');
}

function openCommandLog(): pino.DestinationStream {
  try {
    const { DATA_DIR } = readConfig(environment());
    if (!existsSync(DATA_DIR)) return pino.destination(2);
    return pino.destination({ dest: join(DATA_DIR, 'admin.log'), append: true, mode: 0o600, sync: true });
  } catch {
    // Wrong settings, or a file of somebody else.
    return pino.destination(2);
  }
}
