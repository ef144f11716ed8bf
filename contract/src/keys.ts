import { z } from 'zod';
import { named } from './named.ts';

/** An API key. A program sends it as `Authorization: Bearer plk_…` instead of a session cookie. */
export const apiKeySchema = named('ApiKey', {
  id: z.string(),
  name: z.string(),
  prefix: z.string(),
  createdAt: z.iso.datetime(),
  /** Accurate to the minute; null before the first use. */
  lastUsedAt: z.iso.datetime().nullable(),
});
export type ApiKey = z.infer<typeof apiKeySchema>;

/** Response of key creation, the only one with the secret. A repeated request gets it without. */
export const newApiKeySchema = apiKeySchema.extend({ secret: z.string().optional() });
export type NewApiKey = z.infer<typeof newApiKeySchema>;

export const KEYS_PER_USER = 20;

const FOR_KEYS =
  /^\/api\/v1\/(tools|generations|subject|media|packs|looks|checks|runs|credits|events|headshot-models|webhook-endpoints)(\/|$)|^\/mcp$/;

/** True if this path accepts an API key instead of a session. Public routes need no entry. */
export const isForKeys = (path: string): boolean => FOR_KEYS.test(path);
