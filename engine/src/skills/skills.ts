import type { Matting } from '../cutout/matting.ts';
import { ASPECT_RATIOS, DURATIONS, RESOLUTIONS } from '../video/formats.ts';
import type { Fields, Input } from './fields.ts';

/** What a skill gets to work with; it may write anywhere below `folder` and nowhere else. */
export type SkillRequest = {
  input: Input;
  /** Field name -> path of the picture's bytes as sent. */
  pictures: Record<string, string>;
  folder: string;
  /** Every random choice starts here, so that the same request gives the same bytes. */
  seed: number;
  /** What tells the product from its background: our own network, or the operator's. */
  matting: Matting;
  /** Says how far we are (0-99) and lets a cancellation or a dead parent be noticed. */
  report: (percent: number, message: string) => Promise<void>;
};

/** The result body in the provider's shape; an object with `local_path` becomes a served file with a `url`. */
export type SkillResult = Record<string, unknown>;

export type Run = (request: SkillRequest) => Promise<SkillResult>;

export type Skill = {
  fields: Fields;
  /** A video may take longer than a still picture, which is what a skill makes unless it says so. */
  makes?: 'video';
  load: () => Promise<{ run: Run }>;
};

const PROMPT_LENGTH = 2000;
const SEED = { kind: 'whole', least: 0, most: 4_294_967_295 } as const;

/** Every app id that the engine serves. A new skill is one file and its entry here. */
export const skills: Readonly<Record<string, Skill>> = {
  'fal-ai/bria/background/remove': {
    fields: { image_url: { kind: 'picture', required: true }, marks: { kind: 'marks' } },
    load: () => import('./remove-background.ts'),
  },
  'fal-ai/bria/background/replace': {
    fields: {
      image_url: { kind: 'picture', required: true },
      prompt: { kind: 'text', maxLength: PROMPT_LENGTH },
      marks: { kind: 'marks' },
      placement: { kind: 'placement' },
      variant: { kind: 'whole', least: 0, most: 9 },
      seed: SEED,
    },
    load: () => import('./replace-background.ts'),
  },
  'easel-ai/advanced-face-swap': {
    fields: {
      face_image_0: { kind: 'picture', required: true, mayBeWrapped: true },
      target_image: { kind: 'picture', required: true, mayBeWrapped: true },
      gender_0: { kind: 'choice', options: ['male', 'female', 'non-binary'] },
      workflow_type: { kind: 'choice', options: ['user_hair', 'target_hair'] },
      upscale: { kind: 'flag' },
    },
    load: () => import('./headshot.ts'),
  },
  'fal-ai/fashn/tryon/v1.6': {
    fields: {
      model_image: { kind: 'picture', required: true },
      garment_image: { kind: 'picture', required: true },
      category: { kind: 'choice', options: ['tops', 'bottoms', 'one-pieces', 'auto'] },
      mode: { kind: 'choice', options: ['performance', 'balanced', 'quality'] },
      garment_photo_type: { kind: 'choice', options: ['auto', 'model', 'flat-lay'] },
      moderation_level: { kind: 'choice', options: ['none', 'permissive', 'conservative'] },
      seed: SEED,
      num_samples: { kind: 'whole', least: 1, most: 4 },
      segmentation_free: { kind: 'flag' },
      output_format: { kind: 'choice', options: ['png', 'jpeg'] },
    },
    load: () => import('./try-on.ts'),
  },
  'fal-ai/ltx-video/image-to-video': {
    makes: 'video',
    fields: {
      image_url: { kind: 'picture', required: true },
      prompt: { kind: 'text', maxLength: PROMPT_LENGTH },
      negative_prompt: { kind: 'text', maxLength: PROMPT_LENGTH },
      seed: SEED,
    },
    load: () => import('./basic-video.ts'),
  },
  'fal-ai/bytedance/seedance/v1.5/pro/image-to-video': {
    makes: 'video',
    fields: {
      image_url: { kind: 'picture', required: true },
      prompt: { kind: 'text', maxLength: PROMPT_LENGTH, required: true },
      aspect_ratio: { kind: 'choice', options: ASPECT_RATIOS },
      resolution: { kind: 'choice', options: RESOLUTIONS },
      duration: { kind: 'choice', options: DURATIONS },
      camera_fixed: { kind: 'flag' },
      generate_audio: { kind: 'flag' },
      seed: SEED,
    },
    load: () => import('./premium-video.ts'),
  },
};

export function findSkill(app: string): Skill | undefined {
  return Object.hasOwn(skills, app) ? skills[app] : undefined;
}
