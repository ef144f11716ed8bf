import { errors } from './errors.ts';
import {
  IMAGE_MAX_BYTES,
  IMAGE_MAX_PIXELS,
  IMAGE_MAX_SIDE_PX,
  IMAGE_MIN_SIDE_PX,
  PROMPT_MAX_LENGTH,
} from './limits.ts';
import { type ChoiceField, IMAGE_TYPES, type ImageField, type TextField, type Tool } from './tool.ts';

/** The kinds of fields a tool's entry is made of, and what is derived from them. */

type Own<Field, Given extends keyof Field> = Pick<Field, Given> & Partial<Omit<Field, 'kind'>>;

export function image(field: Own<ImageField, 'label' | 'missing' | 'samples'>): ImageField {
  return {
    kind: 'image',
    accept: IMAGE_TYPES,
    wrongType: errors.unsupported_image_type.detail,
    prepare: 'as-is',
    ...field,
  };
}

/** The picture of a video tool: JPEG or PNG only. */
export function videoImage(field: Own<ImageField, 'label' | 'missing' | 'samples'>): ImageField {
  return image({
    accept: ['image/jpeg', 'image/png'],
    wrongType: 'Please select an image file (JPEG or PNG)',
    ...field,
  });
}

export function text(field: Omit<TextField, 'kind' | 'maxLength'>): TextField {
  return { kind: 'text', maxLength: PROMPT_MAX_LENGTH, ...field };
}

/** A choice whose API takes what the screen offers, unless said otherwise; the first value is the fallback. */
export function choice(
  field: Pick<ChoiceField, 'label' | 'options'> & Partial<Pick<ChoiceField, 'values' | 'fallback'>>,
): ChoiceField {
  const values = field.values ?? field.options.map(({ value }) => value);
  return { kind: 'choice', values, fallback: values[0] ?? '', ...field };
}

/** Limits every picture field has; sizes in bytes and pixels. */
export const imageFieldLimits = {
  maxBytes: IMAGE_MAX_BYTES,
  maxPixels: IMAGE_MAX_PIXELS,
  minSide: IMAGE_MIN_SIDE_PX,
  maxSide: IMAGE_MAX_SIDE_PX,
};

/** Error code of an empty field: `modelImage` gives `model_image_required`. */
export function missingCode(fieldName: string): string {
  return `${fieldName.replace(/Id$/, '').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}_required`;
}

/** What `GET /api/v1/tools` says of a tool's fields, in their order. */
export function describeFields(tool: Tool): object[] {
  return Object.entries(tool.fields).map(([name, field]) => {
    switch (field.kind) {
      case 'image':
        return { name, type: 'image', required: true, accept: field.accept, ...imageFieldLimits };
      case 'text':
        return { name, type: 'text', required: true, maxLength: field.maxLength };
      case 'choice':
        return { name, type: 'choice', required: false, options: field.values, default: field.fallback };
      case 'model':
        return { name, type: 'model', required: true };
    }
  });
}
