import type { ToolId } from '@plinth/contract/tools';
import { z } from 'zod';
import type { FalCall } from './fal.ts';
import type { EngineCall } from './engine.ts';

type Mapping = {
  hosted: FalCall;
  engine: EngineCall;
  /** Tools for which the operator may choose a model with face-swap in its id. */
  swap?: FalCall;
  /** True if Stability AI serves the tool once it has a key. */
  stability?: true;
};

const fileSchema = z.looseObject({ url: z.string().min(1) });
const firstImage = z.looseObject({ images: z.array(fileSchema).min(1) });
const oneImage = z.looseObject({ image: fileSchema });
const oneVideo = z.looseObject({ video: fileSchema });
const readFirstImage = (output: unknown) => firstImage.safeParse(output).data?.images[0]?.url;
const readImage = (output: unknown) => oneImage.safeParse(output).data?.image.url;
const readVideo = (output: unknown) => oneVideo.safeParse(output).data?.video.url;

// The basic video has no prompt field: its model gets this one.
const BASIC_MOTION =
  'The camera glides slowly and steadily around the product. The product keeps its shape and colours.';

// Seedance's defaults.
const USUAL_SECONDS = '5';

/**
 * Two ways to make a headshot. The default is an edit model with a fixed prompt. fal's face swap, with the
 * specification's genders and hair styles, is deprecated since 2026 and used only if the operator names such a model.
 */
type HeadshotCall = Omit<FalCall, 'fileUrl'>;

const PERSON: Record<string, string> = { male: 'man', female: 'woman', 'non-binary': 'non-binary person' };

const editHeadshot: HeadshotCall = {
  model: 'fal-ai/nano-banana/edit',
  toInput: ({ pictures, texts }) => ({
    prompt: describeEdit(texts),
    image_urls: [pictures.image, pictures.targetModelId],
    num_images: 1,
    output_format: 'png',
  }),
};

const swapFace: HeadshotCall = {
  model: 'easel-ai/advanced-face-swap',
  toInput: ({ pictures, texts }) => ({
    face_image_0: { url: pictures.image },
    // The model requires a gender, which the user may leave open.
    gender_0: texts.gender === '' ? 'non-binary' : texts.gender,
    target_image: { url: pictures.targetModelId },
    workflow_type: texts.hairStyle,
    upscale: true,
  }),
};

function describeEdit({ gender = '', hairStyle }: Readonly<Record<string, string>>): string {
  const person = PERSON[gender] ?? 'person';
  const hair = hairStyle === 'target_hair' ? 'the hair of the second picture' : 'the hair of the first picture';
  return `Make a professional studio headshot. Put the face of the ${person} in the first picture on the portrait in the second picture, with ${hair}. Keep the pose, clothes, background and light of the second picture, and the likeness and skin tone of the first.`;
}

export const mappings: Readonly<Record<ToolId, Mapping>> = {
  'text-to-image': {
    engine: {
      skill: 'replace-background',
      pictures: { image: 'image_url' },
      toInput: ({ texts, guides, seed }) => ({ prompt: texts.prompt, seed, ...guides }),
    },
    hosted: {
      model: 'fal-ai/bria/background/replace',
      toInput: ({ pictures, texts, seed }) => ({
        image_url: pictures.image,
        prompt: texts.prompt,
        refine_prompt: true,
        fast: true,
        num_images: 1,
        seed,
      }),
      fileUrl: readFirstImage,
    },
  },
  remover: {
    engine: { skill: 'remove-background', pictures: { image: 'image_url' }, toInput: ({ guides }) => ({ ...guides }) },
    hosted: {
      model: 'fal-ai/bria/background/remove',
      toInput: ({ pictures }) => ({ image_url: pictures.image }),
      fileUrl: readImage,
    },
  },
  'dress-change': {
    engine: {
      skill: 'try-on',
      pictures: { modelImage: 'model_image', garmentImage: 'garment_image' },
      toInput: ({ guides }) => ({ garment_marks: guides?.['garmentMarks'] }),
    },
    hosted: {
      model: 'fal-ai/fashn/tryon/v1.6',
      toInput: ({ pictures, seed = 42 }) => ({
        model_image: pictures.modelImage,
        garment_image: pictures.garmentImage,
        category: 'auto',
        mode: 'balanced',
        garment_photo_type: 'auto',
        moderation_level: 'permissive',
        seed,
        num_samples: 1,
        segmentation_free: true,
      }),
      fileUrl: readFirstImage,
    },
  },
  'headshot-generator': {
    engine: {
      skill: 'headshot',
      pictures: { image: 'face_image_0', targetModelId: 'target_image' },
      toInput: () => ({}),
    },
    hosted: { ...editHeadshot, fileUrl: readFirstImage },
    swap: { ...swapFace, fileUrl: readImage },
  },
  'basic-image-to-video': {
    engine: {
      skill: 'basic-video',
      pictures: { image: 'image_url' },
      toInput: ({ guides, seed }) => ({ seed, ...guides }),
    },
    hosted: {
      model: 'fal-ai/ltx-video/image-to-video',
      toInput: ({ pictures, seed }) => ({ prompt: BASIC_MOTION, image_url: pictures.image, seed }),
      fileUrl: readVideo,
    },
  },
  'image-to-video': {
    stability: true,
    engine: {
      skill: 'premium-video',
      pictures: { image: 'image_url' },
      toInput: ({ texts, guides, seed }) => ({
        prompt: texts.prompt,
        aspect_ratio: texts.aspectRatio,
        duration: texts.duration,
        seed,
        ...guides,
      }),
    },
    hosted: {
      model: 'fal-ai/bytedance/seedance/v1.5/pro/image-to-video',
      toInput: ({ pictures, texts, seed }) => ({
        prompt: texts.prompt,
        image_url: pictures.image,
        aspect_ratio: texts.aspectRatio,
        ...(texts.duration !== undefined && texts.duration !== USUAL_SECONDS && { duration: texts.duration }),
        generate_audio: false,
        seed,
      }),
      fileUrl: readVideo,
    },
  },
};

/** fal's calls, one per tool; `swappable`: the model of a tool with two ways. */
export function chooseCalls(swappable: string): (tool: ToolId) => FalCall {
  return (tool) => {
    const { hosted, swap } = mappings[tool];
    if (swap === undefined) return hosted;
    return { ...(swappable.includes('face-swap') ? swap : hosted), model: swappable };
  };
}
