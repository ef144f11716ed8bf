import { errors } from './errors.ts';
import type { ToolSentences } from './tool.ts';

/** Defaults of several tools. An entry in `tools/` overrides them. */

export const IMAGE_REQUIREMENT = { says: 'JPEG, PNG or WebP, max 12MB', met: 'images' } as const;
export const VIDEO_REQUIREMENT = { says: 'JPEG or PNG, max 12MB', met: 'images' } as const;
export const HEADSHOT_MISSING = 'Please provide both face image and select a target model';
export const VIDEO_MISSING = 'Please provide both an image and a prompt';
export const FIVE_MINUTES = { everyMs: 5000, tries: 60 };

export const PICTURE_TOOL = {
  besides: null,
  price: 'beside',
  mediaType: 'product_image',
  requirementsAt: 'end',
  usualMs: 60_000,
  builtInSays: { wait: 'Usually a few seconds.' },
} as const;
export const VIDEO_TOOL = { ...PICTURE_TOOL, usualMs: 180_000, patience: FIVE_MINUTES } as const;
export const PICTURE_SAYS = {
  again: 'Generate again',
  busy: 'Generating...',
  failures: {},
  poor: errors.insufficient_credits.detail,
  downloadFailed: 'Failed to download image. Please try again.',
  wait: 'Usually under 1 minute.',
  nothing: 'No picture this time',
} satisfies Partial<ToolSentences>;
export const VIDEO_SAYS = {
  ...PICTURE_SAYS,
  button: 'Generate Video',
  working: 'Generating video...',
  done: 'Video ready',
  failed: 'Failed to generate video',
  download: 'Download Video',
  downloadFailed: 'Failed to download video. Please try again.',
  empty: 'Your video will play here',
  wait: 'Videos take 2-3 minutes.',
  nothing: 'No video this time',
} satisfies Partial<ToolSentences>;
