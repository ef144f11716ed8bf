import {
  IMAGE_MAX_BYTES,
  IMAGE_MAX_PIXELS,
  IMAGE_MAX_SIDE_PX,
  IMAGE_MIN_SIDE_PX,
  PROMPT_MAX_LENGTH,
} from './limits.ts';

/** Every tool, one entry each. Routes, screens, prices, refusals and file names are derived from here. */

export const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/webp'] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

export type ImageField = {
  kind: 'image';
  label: string;
  /** Sentence shown when the field is empty. */
  missing: string;
  accept: readonly ImageType[];
  /** Sentence shown when the file is of another type. */
  wrongType: string;
  /** Sample pictures offered below an empty field, by file name without ending. */
  samples: readonly string[];
};

export type TextField = {
  kind: 'text';
  label: string;
  missing: string;
  maxLength: number;
  placeholder: string;
  /** Ready-made texts that fill the empty field. */
  suggestions: readonly string[];
};

export type ToolField = ImageField | TextField;

export type ToolSentences = {
  button: string;
  /** The button once a result stands on the stage. */
  again: string;
  /** Step message while the provider works. */
  working: string;
  done: string;
  /** Shown when the failure has no sentence of its own. */
  failed: string;
  /** Shown when the balance is below the cost. */
  poor: string;
  download: string;
  /** The stage before anything was made: a title and what to do. */
  empty: string;
  start: string;
  /** What a person may expect to wait. */
  wait: string;
};

export type Tool = {
  title: string;
  /** One line below the title. */
  line: string;
  /** Name in the sidebar; null when the tool is reached another way. */
  menu: string | null;
  /** Name in the API and in the tray of running generations. */
  name: string;
  /** One word for the phone's bottom bar. */
  tab: string;
  icon: ToolIcon;
  /** Credits for one generation. */
  cost: number;
  mediaType: MediaType;
  fields: Readonly<Record<string, ToolField>>;
  says: ToolSentences;
  file: { folder: string; name: string; type: 'png' };
  /** How the result stands on the stage: beside the picture of the named field, or on a checkerboard. */
  shows: { kind: 'compare'; before: string; after: string } | { kind: 'cutout' };
  /** Sentences below the button, each ticked when all pictures, or all required fields, are there. */
  requirements: readonly { says: string; met: 'images' | 'all' }[];
  /** Most generations end within this time; after twice that the screen says it takes longer. */
  usualMs: number;
  /** Polling budget at the provider. */
  patience: { everyMs: number; tries: number };
};

export type ToolIcon = 'picture' | 'scissors';

export type MediaType = 'product_image' | 'basic_video' | 'premium_video';

const POOR = 'Insufficient credits. Please add more credits to continue.';
const IMAGE_REQUIREMENT = { says: 'JPEG, PNG or WebP, max 12MB', met: 'images' } as const;
const IMAGE_WAIT = 'Usually under 1 minute.';
const IMAGE_USUAL_MS = 60_000;

function image(field: Pick<ImageField, 'label' | 'missing' | 'samples'>): ImageField {
  return {
    kind: 'image',
    accept: IMAGE_TYPES,
    wrongType: 'Please select an image file (JPEG, PNG, or WebP)',
    ...field,
  };
}

function text(field: Omit<TextField, 'kind' | 'maxLength'>): TextField {
  return { kind: 'text', maxLength: PROMPT_MAX_LENGTH, ...field };
}

export const tools = {
  'text-to-image': {
    title: 'Background Customization',
    line: 'Say where your product should stand. Everything around it is replaced, the product stays as it is.',
    menu: 'Background Customization',
    name: 'Background Customization',
    tab: 'Background',
    icon: 'picture',
    cost: 1,
    mediaType: 'product_image',
    fields: {
      image: image({
        label: 'Product image',
        missing: 'Please upload a product image',
        samples: ['mug', 'dropper', 'handbag'],
      }),
      prompt: text({
        label: 'Scene description',
        missing: 'Please provide a scene description',
        placeholder: 'For example: on a wooden table by a window, morning light',
        suggestions: ['Wooden table, morning light', 'Stone block, late sun', 'Plain studio, soft shadow'],
      }),
    },
    says: {
      button: 'Generate',
      again: 'Generate again',
      working: 'Generating product mockup...',
      done: 'Product mockup ready',
      failed: 'An unexpected error occurred while generating the product mockup. Please try again.',
      poor: POOR,
      download: 'Download Mockup',
      empty: 'Your mockup will stand here',
      start: 'Add a photo and a sentence. Most image edits take under 1 minute.',
      wait: IMAGE_WAIT,
    },
    file: { folder: 'product-shot', name: 'product-shot', type: 'png' },
    shows: { kind: 'compare', before: 'image', after: 'Mockup' },
    requirements: [IMAGE_REQUIREMENT, { says: 'Image and description required', met: 'all' }],
    usualMs: IMAGE_USUAL_MS,
    patience: { everyMs: 1000, tries: 180 },
  },
  remover: {
    title: 'Background Customization',
    line: 'Remove the background. You get a PNG with real transparency.',
    menu: 'Remover Background',
    name: 'Background Removal',
    tab: 'Remover',
    icon: 'scissors',
    cost: 1,
    mediaType: 'product_image',
    fields: {
      image: image({ label: 'Image', missing: 'Please upload an image', samples: ['mug', 'dropper', 'teddy'] }),
    },
    says: {
      button: 'Remove Background',
      again: 'Remove Background',
      working: 'Removing background...',
      done: 'Background removed',
      failed: 'Failed to remove background. Try another image.',
      poor: POOR,
      download: 'Download Result',
      empty: 'Your cut-out will stand here',
      start: 'Add a photo. Most image edits take under 1 minute.',
      wait: IMAGE_WAIT,
    },
    file: { folder: 'background-removed', name: 'removed-bg', type: 'png' },
    shows: { kind: 'cutout' },
    requirements: [IMAGE_REQUIREMENT, { says: 'Image required', met: 'all' }],
    usualMs: IMAGE_USUAL_MS,
    patience: { everyMs: 2000, tries: 30 },
  },
} as const satisfies Record<string, Tool>;

export type ToolId = keyof typeof tools;

export const toolIds = Object.keys(tools) as ToolId[];

/** The tool with this id, or undefined for anything else (also for names every object has). */
export function findTool(id: string): Tool | undefined {
  return isToolId(id) ? tools[id] : undefined;
}

export function isToolId(id: string): id is ToolId {
  return Object.hasOwn(tools, id);
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
  return Object.entries(tool.fields).map(([name, field]) =>
    field.kind === 'image'
      ? { name, type: 'image', required: true, accept: field.accept, ...imageFieldLimits }
      : { name, type: 'text', required: true, maxLength: field.maxLength },
  );
}
