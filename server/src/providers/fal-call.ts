import type { GivenInput } from './provider.ts';

/** How one tool is done at fal: which model, what goes in, where the file is in what comes out. */
export type FalCall = {
  model: string;
  /** `pictures` holds addresses the model can read, by field name; the rest is what the person gave. */
  toInput: (given: Omit<GivenInput, 'pictures'> & { pictures: Record<string, string> }) => object;
  /** Address of the result file, or undefined when there is none. */
  fileUrl: (output: unknown) => string | undefined;
};
