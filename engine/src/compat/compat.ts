import type { Wire } from '../wire/wire.ts';
import type { TokenMint } from './tokens.ts';
import type { PublicKeySet } from './webhook-key.ts';

/** What the routes of this folder need beside the wire's own, put together in main.ts. */
export type Compat = Wire & { tokens: TokenMint; webhookKeys: PublicKeySet };
