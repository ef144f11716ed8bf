import type { FalCall } from './fal.ts';

/**
 * Two ways to a headshot. fal's face swap, with the specification's genders and hair styles, is deprecated since 2026;
 * the default is an edit model told in fixed words, unless the operator names a model that swaps faces.
 */

type HeadshotCall = Omit<FalCall, 'fileUrl'>;

const PERSON: Record<string, string> = { male: 'man', female: 'woman', 'non-binary': 'non-binary person' };

export const editHeadshot: HeadshotCall = {
  model: 'fal-ai/nano-banana/edit',
  toInput: ({ pictures, texts }) => ({
    prompt: describeEdit(texts),
    image_urls: [pictures.image, pictures.targetModelId],
    num_images: 1,
    output_format: 'png',
  }),
};

export const swapFace: HeadshotCall = {
  model: 'easel-ai/advanced-face-swap',
  toInput: ({ pictures, texts }) => ({
    face_image_0: { url: pictures.image },
    // The model demands a gender; a person may leave it open.
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
