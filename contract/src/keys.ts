import { z } from 'zod';
import { named } from './named.ts';

/** What a program signs in with: `Authorization: Bearer plk_…` in the place of a session. */
export const apiKeySchema = named('ApiKey', {
  id: z.string(),
  name: z.string(),
  prefix: z.string(),
  createdAt: z.iso.datetime(),
  /** To the minute; null before its first use. */
  lastUsedAt: z.iso.datetime().nullable(),
});
export type ApiKey = z.infer<typeof apiKeySchema>;

/** The answer that made a key, the only one with its secret: a repeated request gets it without. */
export const newApiKeySchema = apiKeySchema.extend({ secret: z.string().optional() });
export type NewApiKey = z.infer<typeof newApiKeySchema>;

export const KEYS_PER_USER = 20;

const FOR_KEYS =
  /^\/api\/v1\/(tools|generations|subject|media|packs|looks|checks|runs|credits|events|headshot-models|webhook-endpoints)(\/|$)|^\/mcp$/;

/** Whether a key stands for the session on this path, besides the routes that are public. */
export const isForKeys = (path: string): boolean => FOR_KEYS.test(path);
