import { isDatabaseAway } from '../data/db.ts';
import type { Log } from '../log.ts';

/**
 * Outlives a database connection that says it is lost when nobody listens to it any more: pg-boss 12.35 takes its
 * listeners off a connection before it ends it (`removeAllListeners` in its db.js). Whoever used that connection heard
 * of it from his query. Anything else that nobody caught is logged and ends the process, as ever.
 */
export function outliveLostConnections(log: Log): void {
  process.on('uncaughtException', (error) => {
    if (isDatabaseAway(error)) return log.warn({ err: error }, 'a connection was lost that nobody listens to');
    log.fatal({ err: error }, 'uncaught exception');
    process.exit(1);
  });
}
