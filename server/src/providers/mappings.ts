import type { ToolId } from '@plinth/contract/tools';
import { z } from 'zod';

export { makeFal } from './fal.ts';
export { type Provider, ProviderError } from './provider.ts';

/** How one tool is done at its provider: which model, what goes in, where the file is in what comes out. */
export type Mapping = {
  model: string;
  /** `pictures` holds addresses the model can read, by field name; `texts` what the person wrote. */
  toInput: (given: { pictures: Record<string, string>; texts: Record<string, string> }) => object;
  /** Address of the result file, or undefined when there is none. */
  fileUrl: (output: unknown) => string | undefined;
};

const fileSchema = z.looseObject({ url: z.string().min(1) });
const firstImage = z.looseObject({ images: z.array(fileSchema).min(1) });
const oneImage = z.looseObject({ image: fileSchema });

export const mappings: Record<ToolId, Mapping> = {
  'text-to-image': {
    model: 'fal-ai/bria/background/replace',
    toInput: ({ pictures, texts }) => ({
      image_url: pictures.image,
      prompt: texts.prompt,
      refine_prompt: true,
      fast: true,
      num_images: 1,
    }),
    fileUrl: (output) => firstImage.safeParse(output).data?.images[0]?.url,
  },
  remover: {
    model: 'fal-ai/bria/background/remove',
    toInput: ({ pictures }) => ({ image_url: pictures.image }),
    fileUrl: (output) => oneImage.safeParse(output).data?.image.url,
  },
};
