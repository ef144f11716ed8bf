import { z } from 'zod';

/** What a file says of its making, and whether that can be believed. */

const stepSchema = z.object({
  /** The program or model that did it; null where the file does not say. */
  by: z.string().nullable(),
  action: z.string(),
  at: z.string().nullable(),
});

export const verifiedSchema = z.object({
  /** Signed by this installation, now or earlier. */
  made: z.boolean(),
  by: z.string().nullable(),
  /** Whether anything in it is other than when it was signed; null where nothing was signed. */
  changed: z.boolean().nullable(),
  signed: z.enum(['operator', 'self', 'other', 'none']),
  /** The IPTC digital source type, the last part of its address. */
  type: z.string().nullable(),
  chain: z.array(stepSchema),
});
export type Verified = z.infer<typeof verifiedSchema>;

/** The public keys that files of this installation are or were signed with. */
export const signersSchema = z.object({
  items: z.array(
    z.object({
      kind: z.enum(['operator', 'self']),
      /** SubjectPublicKeyInfo, DER in base64. */
      publicKey: z.string(),
    }),
  ),
});
export type KnownSigner = z.infer<typeof signersSchema>['items'][number];
