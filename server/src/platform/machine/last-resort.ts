import { isDatabaseUnavailable } from '../data/db.ts';
import type { Log } from '../log.ts';

/**
 * Survives a lost database connection without listeners: pg-boss 12.35 removes its own before it ends one (db.js).
 * Any other uncaught error is logged and ends the process.
 */
export function surviveLostConnections(log: Log): void {
  process.on('uncaughtException', (error) => {
    if (isDatabaseUnavailable(error)) return log.warn({ err: error }, 'a connection was lost that nobody listens to');
    log.fatal({ err: error }, 'uncaught exception');
    process.exit(1);
  });
}
