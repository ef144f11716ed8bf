import { z } from 'zod';
import { nameSchema } from './names.ts';

/** A look: how a product stands on its canvas, saved by name. What `GET` gives can be sent to `POST` elsewhere. */

export const shadows = ['none', 'contact', 'soft', 'reflection'] as const;
export type Shadow = (typeof shadows)[number];

const share = z.number().min(0).max(0.4);

/** Everything of a look but its name; shares are of the frame's width or height, sizes in pixels. */
export const lookSettingsSchema = z.object({
  shadow: z.enum(shadows).default('none'),
  /** Where the light comes from, clockwise as seen from above: 0 from the viewer, 90 from the right. */
  shadowAngle: z.int().min(0).max(359).default(0),
  margin: z
    .strictObject({
      top: share.default(0.05),
      right: share.default(0.05),
      bottom: share.default(0.05),
      left: share.default(0.05),
    })
    .prefault({}),
  canvas: z.union([z.literal('transparent'), z.string().regex(/^#[0-9a-f]{6}$/i)]).default('#ffffff'),
  size: z.int().min(500).max(5000).default(2000),
  /** Each product fills its frame, or all of a catalogue share one scale by their heights in cm. */
  scale: z.enum(['frame', 'height']).default('frame'),
  align: z.enum(['centre', 'foot']).default('centre'),
});
export type LookSettings = z.infer<typeof lookSettingsSchema>;

export const lookSchema = z.object({
  id: z.string(),
  name: z.string(),
  ...lookSettingsSchema.shape,
  createdAt: z.iso.datetime(),
});
export type Look = z.infer<typeof lookSchema>;
export const lookListSchema = z.object({ items: z.array(lookSchema) });

/** What is sent; `id` and `createdAt` of an exported look are let through and not kept. */
export const givenLookSchema = z.strictObject({
  name: nameSchema,
  ...lookSettingsSchema.shape,
  id: z.string().optional(),
  createdAt: z.string().optional(),
});

export const LOOKS_PER_USER = 50;

/** Where a cut-out stands as a file, by settings that need not be saved; with `preview` a small picture of it. */
export const packshotUrl = (mediaId: string, settings: LookSettings, kind: '' | '/preview' = '') =>
  `/api/v1/media/${mediaId}/packshot${kind}?settings=${encodeURIComponent(JSON.stringify(settings))}`;
export const PACKSHOT_PREVIEW_PX = 640;

/** What stands where no look is named. */
export const standardLook: LookSettings = lookSettingsSchema.parse({});

/** What a file shows of its look: all of it, or as much as the marketplace's rules allow. */
export type LookShown = 'full' | 'partly';
