import { type ErrorCode, errors } from './errors.ts';
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

/** Constructors of a tool's fields, and functions that derive from them. */

type Own<Field, Given extends keyof Field> = Pick<Field, Given> & Partial<Omit<Field, 'kind'>>;

export function image(field: Own<ImageField, 'label' | 'missing' | 'samples'>): ImageField {
  return {
    kind: 'image',
    noun: 'photo',
    accept: IMAGE_TYPES,
    wrongType: errors.unsupported_image_type.detail,
    prepare: 'as-is',
    ...field,
  };
}

/** Picture field of a video tool: JPEG or PNG only. */
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

/** Text field for a scene. */
export const sceneText = words({ unknown: 'The nearest scene we have to these words', hasScenes: true });

/** Text field for a motion. */
export const motionText = words({
  unknown: 'A slow drift: these words ask for more than we can move',
  hasScenes: false,
});

/** Choice field. By default the API accepts the options of the screen, and the first value is the fallback. */
export function choice(
  field: Pick<ChoiceField, 'label' | 'options'> & Partial<Pick<ChoiceField, 'values' | 'fallback' | 'costs'>>,
): ChoiceField {
  const values = field.values ?? field.options.map(({ value }) => value);
  return { kind: 'choice', values, fallback: values[0] ?? '', ...field };
}

/** Limits of every picture field, in bytes and pixels. */
export const imageFieldLimits = {
  maxBytes: IMAGE_MAX_BYTES,
  maxPixels: IMAGE_MAX_PIXELS,
  minSide: IMAGE_MIN_SIDE_PX,
  maxSide: IMAGE_MAX_SIDE_PX,
};

/** Abilities of the engine or provider: sides in pixels, maximum ratio of the sides, whether it accepts guides. */
export type Abilities = {
  minSide: number;
  maxSide: number;
  maxRatio: number;
  takesGuides: boolean;
  /** It frames the product itself, so pictures need not be made square. */
  framesProduct?: true;
  /** Supported values by choice field. A field without an entry supports all. */
  choices?: Readonly<Record<string, readonly string[]>>;
  /** By choice field and value: the substitute for a value that is accepted but not supported. */
  instead?: Readonly<Record<string, Readonly<Record<string, string>>>>;
};

/** True if the user sets the field on the picture, not in words. */
export function isGuide(field: ToolField): field is GuideField {
  return field.kind === 'marks' || field.kind === 'placement';
}

/** Returns the fields that the engine or provider supports, in order. Choices have their supported values only. */
export function servedFields({ fields }: Pick<Tool, 'fields'>, abilities: Abilities): [string, ToolField][] {
  return Object.entries(fields).flatMap(([name, field]): [string, ToolField][] => {
    if (isGuide(field) && !abilities.takesGuides) return [];
    const made = abilities.choices?.[name];
    if (field.kind !== 'choice' || made === undefined) return [[name, field]];
    const narrowed = narrowChoice(field, made);
    return narrowed.values.length === 0 ? [] : [[name, narrowed]];
  });
}

/** Returns the choice limited to these values. */
export function narrowChoice(field: ChoiceField, made: readonly string[]): ChoiceField {
  const options = field.options.filter(({ value }) => made.includes(value));
  const values = field.values.filter((value) => made.includes(value));
  const fallback = values.includes(field.fallback) ? field.fallback : (values[0] ?? field.fallback);
  return { ...field, values, options, fallback };
}

/** Returns the credits that one generation of this input costs. */
export function costOf(
  { cost, fields }: Pick<Tool, 'cost' | 'fields'>,
  input: Readonly<Record<string, string>>,
): number {
  for (const [name, field] of Object.entries(fields)) {
    if (field.kind === 'choice' && field.costs) return field.costs[input[name] ?? field.fallback] ?? cost;
  }
  return cost;
}

/** Lists the API's values for a variant, in order. */
export function listVariants({ most }: { most: number }): string[] {
  return Array.from({ length: most + 1 }, (_, n) => String(n));
}

/** Finds the name of the marks field for a picture field. */
export function findMarksField({ fields }: Pick<Tool, 'fields'>, pictureField: string): string | undefined {
  return Object.keys(fields).find((name) => {
    const field = fields[name];
    return field?.kind === 'marks' && field.of === pictureField;
  });
}

/** Returns the error code of an empty field: `model_image_required` for `modelImage`. */
export function missingCode(fieldName: string): ErrorCode {
  const words = fieldName.replace(/Id$/, '').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return `${words}_required` as ErrorCode;
}

/** Returns a tool's fields for `GET /api/v1/tools`, in order. */
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

/** Picks the user's texts from a tool's input, without choices, variants and guides. */
export function pickTexts({ fields }: Pick<Tool, 'fields'>, input: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(input).filter(([name]) => fields[name]?.kind === 'text'));
}

/** Returns the names of the picture fields, in order. */
export const pictureFields = ({ fields }: Pick<Tool, 'fields'>): string[] =>
  Object.keys(fields).filter((name) => fields[name]?.kind === 'image');

/** Returns the field whose picture represents the generation. */
export function mainPictureField({ fields, shows }: Pick<Tool, 'fields' | 'shows'>): string {
  return shows.kind === 'compare' ? shows.before : (pictureFields({ fields })[0] ?? '');
}

/** Finds the tool's text field and its name; null if it has none. */
export function findTextField({ fields }: Pick<Tool, 'fields'>): { name: string; field: TextField } | null {
  for (const [name, field] of Object.entries(fields)) if (field.kind === 'text') return { name, field };
  return null;
}
