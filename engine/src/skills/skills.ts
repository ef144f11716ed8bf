import { z } from 'zod';
import { readMarks, type Marks } from '../cutout/marks.ts';
import type { Matting, Report } from '../cutout/matting.ts';
import type { FinalPlacement } from '../scenes/frame.ts';
import { SHADOW_KINDS } from '../scenes/packshot.ts';
import { ASPECT_RATIOS, DURATIONS } from '../video/formats.ts';
import type { Understood } from '../words/report.ts';

export type Input = z.infer<typeof fields>;

/** A skill's input and tools. It may write only below `folder`. */
export type SkillRequest = {
  input: Input;
  /** Field name -> path of the uploaded picture. */
  pictures: Record<string, string>;
  folder: string;
  /** Seeds every random choice, so that the same request gives the same bytes. */
  seed: number;
  /** Detects and cuts out the product: our own network, or the operator's. */
  matting: Matting;
  /** Reports progress (0-99) and yields, so that a cancellation or a dead parent is noticed. */
  report: Report;
};

/**
 * The file's path, which words were drawn, and the product's placement in a scene; or only an answer, from skills that
 * analyse a picture.
 */
export type SkillResult = { file: string; words?: Understood; placement?: FinalPlacement } | { answer: unknown };

export type Run = (request: SkillRequest) => Promise<SkillResult>;

export type Skill = {
  /** The picture fields, all required; by default `image_url`. */
  pictures?: readonly string[];
  /** By default a still picture. A video may take longer; an answer, which a person waits for, takes .3 s. */
  makes?: 'video' | 'answer';
  load: () => Promise<{ run: Run }>;
};

/** The user's marks on the picture: see cutout/marks.ts. */
const marks = z
  .custom<Marks>((value) => readMarks(value) !== undefined, 'The marks could not be understood.')
  .optional();

/** The product's placement: position in shares of the frame, scale factor, rotation in degrees clockwise. */
const placement = z.strictObject(
  {
    x: z.number().min(0).max(1).optional(),
    y: z.number().min(0).max(1).optional(),
    scale: z.number().min(0.25).max(4).optional(),
    rotate: z.number().min(-45).max(45).optional(),
  },
  'The placement could not be understood.',
);

/** All inputs of skills besides pictures; each skill reads some of them. Unknown ones are ignored. */
const fields = z.object({
  prompt: z.string().max(2000).optional(),
  marks,
  garment_marks: marks,
  placement: placement.optional(),
  seed: z.int().min(0).max(4_294_967_295).optional(),
  kind: z.enum(SHADOW_KINDS).optional(),
  angle: z.int().min(0).max(359).optional(),
  aspect_ratio: z.enum(ASPECT_RATIOS).optional(),
  duration: z.enum(DURATIONS).optional(),
});

/** Every skill by its name. A new one is one file and an entry here. */
export const skills: Readonly<Record<string, Skill>> = {
  'find-subject': { makes: 'answer', load: () => import('./find-subject.ts') },
  'remove-background': { load: () => import('./remove-background.ts') },
  'replace-background': { load: () => import('./replace-background.ts') },
  shadow: { load: () => import('./shadow.ts') },
  headshot: { pictures: ['face_image_0', 'target_image'], load: () => import('./headshot.ts') },
  'try-on': { pictures: ['model_image', 'garment_image'], load: () => import('./try-on.ts') },
  'basic-video': { makes: 'video', load: async () => ({ run: (await import('./films.ts')).makeLoop }) },
  'premium-video': { makes: 'video', load: async () => ({ run: (await import('./films.ts')).makeFilmFromPrompt }) },
};

export function findSkill(name: string): Skill | undefined {
  return Object.hasOwn(skills, name) ? skills[name] : undefined;
}

type ReadInput = { input: Input } | { refusal: string };

/** Validates a skill's input; returns its fields, or the reason of a refusal. `pictureNames`: those received. */
export function readInput({ pictures = ['image_url'] }: Skill, input: unknown, pictureNames: string[]): ReadInput {
  const missing = pictures.find((name) => !pictureNames.includes(name));
  if (missing !== undefined) return { refusal: `${missing} is missing` };
  const read = fields.safeParse(input);
  if (read.success) return { input: read.data };
  return { refusal: z.prettifyError(read.error) };
}
