import { z } from 'zod';
import { named } from './named.ts';

/** The signed-in user. `GET /api/v1/session`, sign-up, sign-in and refresh return it. */
export const sessionSchema = named('Session', {
  user: z.object({
    id: z.string(),
    email: z.string(),
    displayName: z.string(),
    hasPassword: z.boolean(),
    providers: z.array(z.enum(['password', 'google'])),
  }),
  credits: z.int().nonnegative(),
  expiresAt: z.iso.datetime(),
});
export type Session = z.infer<typeof sessionSchema>;

/** One signed-in browser of the caller in the session list. */
export const sessionEntrySchema = z.object({
  id: z.string(),
  current: z.boolean(),
  createdAt: z.iso.datetime(),
  lastSeenAt: z.iso.datetime(),
  userAgent: z.string(),
});
export type SessionEntry = z.infer<typeof sessionEntrySchema>;

/** `GET /api/v1/auth/options` (public): the sign-in methods of this installation. */
export const signInOptionsSchema = z.object({
  emailSignUp: z.boolean(),
  google: z.enum(['google', 'local', 'off']),
  /** The demo account, on a machine that only its owner reaches. The owner has its password. Else null. */
  demo: z.object({ email: z.string() }).nullable(),
  signUpCredits: z.int().nonnegative(),
});
export type SignInOptions = z.infer<typeof signInOptionsSchema>;
