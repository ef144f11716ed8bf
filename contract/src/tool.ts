/** Types of a tool's entry. `tools/` has the entries. */

export const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/webp'] as const;
type ImageType = (typeof IMAGE_TYPES)[number];

export type ImageField = {
  kind: 'image';
  label: string;
  /** What it shows, as in "Choose another garment". */
  noun: string;
  missing: string;
  accept: readonly ImageType[];
  wrongType: string;
  samples: readonly string[];
  /** `square`: crops to the centre square on white, unless the engine or provider frames the product itself. */
  prepare: 'as-is' | 'square';
};

export type TextField = {
  kind: 'text';
  label: string;
  missing: string;
  maxLength: number;
  placeholder: string;
  suggestions: readonly string[];
  /** Noun for "One … to go". */
  noun: string;
  /** Message about a result if no part of the text was understood. */
  unknown: string;
  /** True if the form also offers the engine's scenes as pictures. */
  hasScenes: boolean;
};

export type ChoiceField = {
  kind: 'choice';
  label: string;
  values: readonly string[];
  /** The API's default if the field is absent. */
  fallback: string;
  options: readonly { value: string; label: string }[];
  /** Credits by value, if the generation's price depends on the choice. */
  costs?: Readonly<Record<string, number>>;
  /** Sentences by value: the substitute, if the engine or provider does not support that value. */
  instead?: Readonly<Record<string, string>>;
};

/** The id of a stock portrait of `GET /api/v1/headshot-models`. */
export type ModelField = { kind: 'model'; label: string; missing: string };

/** The user's marks on the picture of the field `of`. Only an engine or provider that uses them accepts them. */
type MarksField = { kind: 'marks'; of: string };

/** The product's position in its scene. Only an engine or provider that uses it accepts it. */
type PlacementField = { kind: 'placement' };

/** Number of an alternative picture of the same input, from 0 (the standard one) to `most`. */
type VariantField = { kind: 'variant'; most: number };

/** A field that the user sets on the picture. It is stored as JSON beside the texts. */
export type GuideField = MarksField | PlacementField;

export type ToolField = ImageField | TextField | ChoiceField | ModelField | VariantField | GuideField;

export type ToolSentences = {
  button: string;
  again: string;
  busy: string;
  working: string;
  done: string;
  failed: string;
  /** Sentences for specific failures; the provider's HTTP status replaces `{status}`. */
  failures: {
    timeout?: string;
    notFound?: string;
    noUrl?: string;
    submitStatus?: string;
    checkStatus?: string;
  };
  poor: string;
  download: string;
  downloadFailed: string;
  /** Title and instruction of the stage before the first generation. */
  empty: string;
  start: string;
  wait: string;
  nothing: string;
};

/** Sentences about time, where the built-in engine's differ from those of hosted models. */
type BuiltInSentences = Pick<ToolSentences, 'wait'> & Partial<Pick<ToolSentences, 'start'>>;

type Requirement = {
  says: string;
  /** Ticked once all pictures, or all required fields, are present. Absent if only the work itself can show it. */
  met?: 'images' | 'all';
  /** Shown only while the built-in engine serves the tool. */
  only?: 'built-in';
};

export type Tool = {
  title: string;
  line: string;
  /** Name in the sidebar; null if another tool links to this one instead. */
  menu: string | null;
  /** The tool whose screen links to this one. */
  besides: string | null;
  name: string;
  tab: string;
  icon: ToolIcon;
  /** Credits for one generation, unless a choice changes them: see `costOf`. */
  cost: number;
  /** Position of the price on the button: beside its label or within it. */
  price: 'beside' | 'in words';
  mediaType: MediaType;
  fields: Readonly<Record<string, ToolField>>;
  /** Field order on the screen; by default the order of validation. */
  shown?: readonly string[];
  says: ToolSentences;
  builtInSays: BuiltInSentences;
  /** `ending` follows the photo's name in the name of a saved result. */
  file: { folder: string; name: string; ending: string; type: FileType };
  composes: Composes;
  /** Minimum size of a result as a share of its photo's sides, up to 1; absent if its size is independent. */
  keepsSides?: number;
  shows: ToolShows;
  requirements: readonly Requirement[];
  /** Position of the requirements: after the button, or at the top of the form. */
  requirementsAt: 'end' | 'top';
  /** Most generations end within this time. After twice this time the screen reports a delay. */
  usualMs: number;
  /** Polling budget at the provider, from when the job runs there. */
  patience: { everyMs: number; tries: number };
};

/** The synthetic part of a result: none, the scene or motion, or a person. It decides the result's label. */
export type Composes = 'nothing' | 'scene' | 'person';

/** Display of a result: beside the `before` field's picture, on a checkerboard, or as a video that may loop. */
type ToolShows =
  | { kind: 'compare'; before: string; after: string }
  | { kind: 'cutout' }
  | { kind: 'video'; loops: boolean };

type ToolIcon = 'picture' | 'scissors' | 'garment' | 'portrait' | 'video' | 'loop';

type MediaType = 'product_image' | 'basic_video' | 'premium_video';

export type FileType = 'png' | 'mp4';

export const contentTypes = { png: 'image/png', mp4: 'video/mp4' } as const satisfies Record<FileType, string>;
export type ResultContentType = (typeof contentTypes)[FileType];
