/** What a tool's entry consists of. The entries themselves stand in `tools/`. */

export const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/webp'] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

export type ImageField = {
  kind: 'image';
  label: string;
  missing: string;
  accept: readonly ImageType[];
  wrongType: string;
  samples: readonly string[];
  /** `square`: for what cannot frame a product by itself, the picture becomes its centre square on white. */
  prepare: 'as-is' | 'square';
};

export type TextField = {
  kind: 'text';
  label: string;
  missing: string;
  maxLength: number;
  placeholder: string;
  suggestions: readonly string[];
  /** The word for it in "One … to go". */
  noun: string;
  /** Said of a result for which nothing of the text was understood. */
  unknown: string;
  /** Whether the engine's own scenes are offered beside it, as pictures. */
  hasScenes: boolean;
};

export type ChoiceField = {
  kind: 'choice';
  label: string;
  values: readonly string[];
  /** What the API takes it for when the field is absent. */
  fallback: string;
  options: readonly { value: string; label: string }[];
  /** Credits by value, where a generation's price follows from the choice. */
  costs?: Readonly<Record<string, number>>;
  /** Sentences by value: what is made instead, where what serves the tool cannot make that. */
  instead?: Readonly<Record<string, string>>;
};

/** One of the stock portraits of `GET /api/v1/headshot-models`, by its id. */
export type ModelField = { kind: 'model'; label: string; missing: string };

/** What a person marked on the picture of the field `of`; taken only where what serves the tool can use it. */
export type MarksField = { kind: 'marks'; of: string };

/** Where the product stands in its scene; taken only where what serves the tool can use it. */
export type PlacementField = { kind: 'placement' };

/** Which picture of the same input: 0 is the usual one, `most` the last. */
export type VariantField = { kind: 'variant'; most: number };

/** What a person shows instead of saying it: kept as JSON beside the words. */
export type GuideField = MarksField | PlacementField;

export type ToolField = ImageField | TextField | ChoiceField | ModelField | VariantField | GuideField;

export type ToolSentences = {
  button: string;
  again: string;
  busy: string;
  working: string;
  done: string;
  failed: string;
  /** Sentences of single failures; `{status}` becomes the provider's HTTP status. */
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
  /** The stage before anything was made: a title and what to do. */
  empty: string;
  start: string;
  wait: string;
  nothing: string;
};

export type Requirement = {
  says: string;
  /** Ticked when all pictures, or all required fields, are there; absent where only the work itself tells. */
  met?: 'images' | 'all';
  /** Said only while the built-in engine serves the tool. */
  only?: 'built-in';
};

export type Tool = {
  title: string;
  line: string;
  /** Name in the sidebar; null when the tool is reached from another one. */
  menu: string | null;
  /** The tool whose screen has a link to this one. */
  besides: string | null;
  name: string;
  tab: string;
  icon: ToolIcon;
  /** Credits for one generation; see `costOf` for what a choice makes of them. */
  cost: number;
  /** Where the button says the price: beside its words or as part of them. */
  price: 'beside' | 'in words';
  mediaType: MediaType;
  fields: Readonly<Record<string, ToolField>>;
  /** In the order in which the screen shows them; the order of the checks when absent. */
  shown?: readonly string[];
  says: ToolSentences;
  /** `ending` stands behind the photo's own name where a result is saved. */
  file: { folder: string; name: string; ending: string; type: FileType };
  composes: Composes;
  /** Least share of its photo's sides that a result has, at most 1; absent where its size does not follow from it. */
  keepsSides?: number;
  shows: ToolShows;
  requirements: readonly Requirement[];
  /** Where the requirements stand: after the button, or on top of the form. */
  requirementsAt: 'end' | 'top';
  /** Most generations end within this time; after twice that the screen says it takes longer. */
  usualMs: number;
  /** Polling budget at the provider. */
  patience: { everyMs: number; tries: number };
};

/** What nobody photographed in a result: nothing, the scene or motion, or a person. Its label follows from it. */
export type Composes = 'nothing' | 'scene' | 'person';

/** Beside the picture of the named field, on a checkerboard, or as a video that may play by itself, over and over. */
export type ToolShows =
  | { kind: 'compare'; before: string; after: string }
  | { kind: 'cutout' }
  | { kind: 'video'; loops: boolean };

export type ToolIcon = 'picture' | 'scissors' | 'garment' | 'portrait' | 'video' | 'loop';

export type MediaType = 'product_image' | 'basic_video' | 'premium_video';

export type FileType = 'png' | 'mp4';

export const contentTypes = { png: 'image/png', mp4: 'video/mp4' } as const satisfies Record<FileType, string>;
export type ResultContentType = (typeof contentTypes)[FileType];
