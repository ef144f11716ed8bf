import { errors } from './errors.ts';
import {
  IMAGE_MAX_BYTES,
  IMAGE_MAX_PIXELS,
  IMAGE_MAX_SIDE_PX,
  IMAGE_MIN_SIDE_PX,
  PROMPT_MAX_LENGTH,
} from './limits.ts';
import {
  type ChoiceField,
  type GuideField,
  IMAGE_TYPES,
  type ImageField,
  type TextField,
  type Tool,
  type ToolField,
} from './tool.ts';

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

type Words = Omit<TextField, 'kind' | 'maxLength' | 'noun' | 'unknown' | 'hasScenes'>;

const words =
  (own: Pick<TextField, 'unknown' | 'hasScenes'>) =>
  (field: Words): TextField => ({ kind: 'text', maxLength: PROMPT_MAX_LENGTH, noun: 'sentence', ...own, ...field });

/** Where a product should stand. */
export const sceneText = words({ unknown: 'The nearest scene we have to these words', hasScenes: true });

/** How something should move. */
export const motionText = words({
  unknown: 'A slow drift: these words ask for more than we can move',
  hasScenes: false,
});

/** A choice whose API takes what the screen offers, unless said otherwise; the first value is the fallback. */
export function choice(
  field: Pick<ChoiceField, 'label' | 'options'> & Partial<Pick<ChoiceField, 'values' | 'fallback' | 'costs'>>,
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

/** What depends on who serves the tool: sides in pixels, most ratio of the sides, whether it takes guides. */
export type Abilities = {
  minSide: number;
  maxSide: number;
  maxRatio: number;
  takesGuides: boolean;
  /** It frames a product by itself: no picture has to be made square for it. */
  framesProduct?: true;
  /** By a choice's name, the values that it can make, where it cannot make all. */
  choices?: Readonly<Record<string, readonly string[]>>;
  /** By a choice's name and value, what is made instead of a value that is taken but cannot be made. */
  instead?: Readonly<Record<string, Readonly<Record<string, string>>>>;
};

/** Whether the field is shown on the picture instead of said. */
export function isGuide(field: ToolField): field is GuideField {
  return field.kind === 'marks' || field.kind === 'placement';
}

/** The fields that the tool has while this serves it, in their order; a choice with what can be made of it. */
export function servedFields({ fields }: Pick<Tool, 'fields'>, abilities: Abilities): [string, ToolField][] {
  return Object.entries(fields).flatMap(([name, field]): [string, ToolField][] => {
    if (isGuide(field) && !abilities.takesGuides) return [];
    const made = abilities.choices?.[name];
    if (field.kind !== 'choice' || made === undefined) return [[name, field]];
    const narrowed = narrowChoice(field, made);
    return narrowed.values.length === 0 ? [] : [[name, narrowed]];
  });
}

/** The choice with these of its values. */
export function narrowChoice(field: ChoiceField, made: readonly string[]): ChoiceField {
  const options = field.options.filter(({ value }) => made.includes(value));
  const values = field.values.filter((value) => made.includes(value));
  const fallback = values.includes(field.fallback) ? field.fallback : (values[0] ?? field.fallback);
  return { ...field, values, options, fallback };
}

/** Credits for one generation of this input. */
export function costOf(
  { cost, fields }: Pick<Tool, 'cost' | 'fields'>,
  input: Readonly<Record<string, string>>,
): number {
  for (const [name, field] of Object.entries(fields)) {
    if (field.kind === 'choice' && field.costs) return field.costs[input[name] ?? field.fallback] ?? cost;
  }
  return cost;
}

/** What the API takes for a variant, in order. */
export function listVariants({ most }: { most: number }): string[] {
  return Array.from({ length: most + 1 }, (_, n) => String(n));
}

/** The name of the field with the marks of a picture field, if the tool has one. */
export function findMarksField({ fields }: Pick<Tool, 'fields'>, pictureField: string): string | undefined {
  return Object.keys(fields).find((name) => {
    const field = fields[name];
    return field?.kind === 'marks' && field.of === pictureField;
  });
}

/** Error code of an empty field: `modelImage` gives `model_image_required`. */
export function missingCode(fieldName: string): string {
  return `${fieldName.replace(/Id$/, '').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}_required`;
}

/** What `GET /api/v1/tools` says of a tool's fields, in their order. */
export function describeFields(tool: Tool, abilities: Abilities): object[] {
  const { minSide, maxSide, maxRatio } = abilities;
  return servedFields(tool, abilities).map(([name, field]) => {
    switch (field.kind) {
      case 'image': {
        const limits = { ...imageFieldLimits, minSide, maxSide, maxRatio };
        return { name, type: 'image', required: true, accept: field.accept, ...limits };
      }
      case 'text':
        return { name, type: 'text', required: true, maxLength: field.maxLength };
      case 'choice':
        return {
          name,
          type: 'choice',
          required: false,
          options: field.values,
          default: field.fallback,
          ...(abilities.instead?.[name] && { instead: abilities.instead[name] }),
          ...(field.costs && { costs: Object.fromEntries(field.values.map((value) => [value, field.costs?.[value]])) }),
        };
      case 'model':
        return { name, type: 'model', required: true };
      case 'variant':
        return { name, type: 'choice', required: false, options: listVariants(field), default: '0' };
      case 'marks':
      case 'placement':
        return { name, type: field.kind, required: false };
    }
  });
}

/** What a person wrote, of all that a tool was given; choices, variants and guides are no words. */
export function pickTexts({ fields }: Pick<Tool, 'fields'>, input: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(input).filter(([name]) => fields[name]?.kind === 'text'));
}

/** The names of the fields that take a photo, in their order. */
export const pictureFields = ({ fields }: Pick<Tool, 'fields'>): string[] =>
  Object.keys(fields).filter((name) => fields[name]?.kind === 'image');

/** The field whose picture stands for the whole generation. */
export function mainPictureField({ fields, shows }: Pick<Tool, 'fields' | 'shows'>): string {
  return shows.kind === 'compare' ? shows.before : (pictureFields({ fields })[0] ?? '');
}

/** The field that a person's words go into, and its name; null where a tool takes none. */
export function findWords({ fields }: Pick<Tool, 'fields'>): { name: string; field: TextField } | null {
  for (const [name, field] of Object.entries(fields)) if (field.kind === 'text') return { name, field };
  return null;
}
