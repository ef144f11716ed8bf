import { z } from 'zod';
import { nameSchema } from './names.ts';

/** A look: saved settings for a product on its canvas. `POST` accepts what `GET` of any installation returns. */

export const shadows = ['none', 'contact', 'soft', 'reflection'] as const;
export type Shadow = (typeof shadows)[number];

const share = z.number().min(0).max(0.4);

/** A look's settings. Margins are shares of the frame's width or height, `size` is in pixels. */
export const lookSettingsSchema = z.object({
  shadow: z.enum(shadows).default('none'),
  /** Direction of the light in degrees, clockwise from above: 0 from the viewer, 90 from the right. */
  shadowAngle: z.int().min(0).max(359).default(0),
  margin: z
    .strictObject({
      top: share.default(0.05),
      right: share.default(0.05),
      bottom: share.default(0.05),
      left: share.default(0.05),
    })
    .prefault({}),
  canvas: z.union([z.literal('transparent'), z.string().regex(/^#[0-9a-fA-F]{6}$/)]).default('#ffffff'),
  size: z.int().min(500).max(5000).default(2000),
  /** `frame`: each product fills its frame. `height`: a catalogue shares one scale, by heights in cm. */
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

/** Request body. `id` and `createdAt` of an exported look are accepted and ignored. */
export const lookInputSchema = z.strictObject({
  name: nameSchema,
  ...lookSettingsSchema.shape,
  id: z.string().optional(),
  createdAt: z.string().optional(),
});

export const LOOKS_PER_USER = 50;

/** Returns the URL of a cut-out's packshot, or of its small preview, with settings that need not be saved. */
export const packshotUrl = (mediaId: string, settings: LookSettings, kind: '' | '/preview' = '') =>
  `/api/v1/media/${mediaId}/packshot${kind}?settings=${encodeURIComponent(JSON.stringify(settings))}`;
export const PACKSHOT_PREVIEW_PX = 640;

/** The settings if no look is given. */
export const standardLook: LookSettings = lookSettingsSchema.parse({});

/** Whether a file shows its whole look, or only what the marketplace's rules allow. */
export type LookShown = 'full' | 'partly';
