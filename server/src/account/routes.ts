import { SIGN_IN_AGAIN_SECONDS } from '@plinth/contract/limits';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { clearSessionCookie, type SessionSettings } from '../auth/sessions.ts';
import { verifyCredentials } from '../auth/sign-in.ts';
import type { Library } from '../media/library.ts';
import { secondsAfter } from '../platform/clock.ts';
import { AppError, fieldError } from '../platform/errors.ts';
import { sendZip } from '../media/sending.ts';
import { requireUser } from '../platform/http/caller.ts';
import type { RequestLimits } from '../platform/http/limits.ts';
import { setSecurityEvent } from '../platform/http/request-log.ts';
import { addRoute, countBy, readBody } from '../platform/http/route.ts';
import { getRow } from '../platform/data/db.ts';
import type { Column, Row } from '../platform/data/rows.ts';
import { deleteAccount } from './deletion.ts';
import { makeExport } from './export.ts';

type AccountOptions = { library: Library; limits: RequestLimits; sessions: SessionSettings };

/** Export and deletion of a user's data. */
export function addAccountRoutes(http: FastifyInstance, options: AccountOptions): void {
  const { library, limits, sessions } = options;
  addRoute(http, 'delete /account', { guards: [countBy(limits, 'accountDeletion')] }, async (request, reply) => {
    await confirmOwner(request, options);
    const { userId } = requireUser(request);
    const deleted = await deleteAccount(library, userId);
    if (deleted !== undefined && deleted.filesLeft > 0)
      request.log.warn({ requestId: request.id, files: deleted.filesLeft }, 'files of a deleted account are left');
    setSecurityEvent(request, 'account_deleted', userId);
    clearSessionCookie(reply, sessions);
    return reply.header('Clear-Site-Data', '"storage"').send();
  });

  addRoute(http, 'get /account/export', { guards: [countBy(limits, 'accountExport')] }, async (request, reply) => {
    const { userId } = requireUser(request);
    const day = library.clock.now().toISOString().slice(0, 10);
    reply.header('Content-Disposition', `attachment; filename="plinth-${day}.zip"`);
    return sendZip(request, reply, () => makeExport(library, userId));
  });
}

/** Verifies a password as at sign-in. @throws AppError credentials_required, invalid_credentials, sign_in_again */
async function confirmOwner(request: FastifyRequest, { library, limits }: AccountOptions): Promise<void> {
  const { userId, accessId } = requireUser(request);
  const { db, clock } = library;
  const { password } = readBody('delete /account', request) ?? {};
  const found = await sql<
    Row<'users', 'email'> & { hasPassword: boolean; signedInAt: Column<'sessions', 'createdAt'> }
  >`
    select u.email, u.password_hash is not null as "hasPassword", s.created_at as "signedInAt"
    from users u join sessions s on s.user_id = u.id where u.id = ${userId} and s.id = ${accessId}`.execute(db);
  // It may be deleted between the two queries.
  const owner = getRow(found, 'authentication_required');
  if (owner.hasPassword) {
    if (password === undefined) throw fieldError('password', 'credentials_required');
    await verifyCredentials({ db, limits }, request, { email: owner.email, password });
  } else if (owner.signedInAt < secondsAfter(clock.now(), -SIGN_IN_AGAIN_SECONDS)) {
    throw new AppError('sign_in_again');
  }
}
