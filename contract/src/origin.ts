import { z } from 'zod';

/** A file's provenance, and whether it can be trusted. */

const stepSchema = z.object({
  /** The program or model of this step; null if the file names none. */
  by: z.string().nullable(),
  action: z.string(),
  at: z.string().nullable(),
});

export const verifiedSchema = z.object({
  /** Signed by this installation, now or earlier. */
  made: z.boolean(),
  by: z.string().nullable(),
  /** Whether the file changed since it was signed; null if that is unknown, as without a signature. */
  changed: z.boolean().nullable(),
  signed: z.enum(['operator', 'self', 'other', 'none']),
  /** The last segment of the IPTC digital source type's URI. */
  type: z.string().nullable(),
  chain: z.array(stepSchema),
});
export type Verified = z.infer<typeof verifiedSchema>;

/** The public keys that sign or signed this installation's files. */
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
