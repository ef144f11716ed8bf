import type { Tool } from './tool.ts';
import {
  FIVE_MINUTES,
  HEADSHOT_MISSING,
  IMAGE_REQUIREMENT,
  PICTURE_SAYS,
  PICTURE_TOOL,
  VIDEO_MISSING,
  VIDEO_REQUIREMENT,
  VIDEO_SAYS,
  VIDEO_TOOL,
} from './tool-defaults.ts';
import { choice, image, motionText, sceneText, videoImage } from './tool-fields.ts';

export {
  type Abilities,
  describeFields,
  imageFieldLimits,
  mainPictureField,
  missingCode,
  pickTexts,
  servedFields,
} from './tool-fields.ts';
export type {
  ChoiceField,
  ImageField,
  ImageType,
  MarksField,
  ModelField,
  TextField,
  Tool,
  ToolField,
  ToolIcon,
} from './tool.ts';

/** Every tool, one entry each. Routes, screens, prices, refusals and file names are derived from here. */

export const tools = {
  'text-to-image': {
    ...PICTURE_TOOL,
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
      prompt: sceneText({
        label: 'Scene description',
        missing: 'Please provide a scene description',
        placeholder: 'For example: on a wooden table by a window, morning light',
        suggestions: ['Wooden table, morning light', 'Stone block, late sun', 'Plain studio, soft shadow'],
      }),
    },
    says: {
      ...PICTURE_SAYS,
      button: 'Generate',
      again: 'Generate again',
      working: 'Generating product mockup...',
      done: 'Product mockup ready',
      failed: 'An unexpected error occurred while generating the product mockup. Please try again.',
      download: 'Download Mockup',
      empty: 'Your mockup will stand here',
      start: 'Add a photo and a sentence. Most image edits take under 1 minute.',
    },
    file: { folder: 'product-shot', name: 'product-shot', type: 'png' },
    shows: { kind: 'compare', before: 'image', after: 'Mockup' },
    requirements: [IMAGE_REQUIREMENT, { says: 'Image and description required', met: 'all' }],
    patience: { everyMs: 1000, tries: 180 },
  },
  remover: {
    ...PICTURE_TOOL,
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
      marks: { kind: 'marks' },
    },
    says: {
      ...PICTURE_SAYS,
      button: 'Remove Background',
      again: 'Remove Background',
      working: 'Removing background...',
      done: 'Background removed',
      failed: 'Failed to remove background. Try another image.',
      download: 'Download Result',
      empty: 'Your cut-out will stand here',
      start: 'Add a photo. Most image edits take under 1 minute.',
    },
    file: { folder: 'background-removed', name: 'removed-bg', type: 'png' },
    shows: { kind: 'cutout' },
    requirements: [IMAGE_REQUIREMENT, { says: 'Image required', met: 'all' }],
    patience: { everyMs: 2000, tries: 30 },
  },
  'dress-change': {
    ...PICTURE_TOOL,
    title: 'Dress Change Generator',
    line: 'One photo of a person, one of a garment. The garment moves over, the person stays.',
    menu: 'Dress Changer',
    name: 'Dress Changer',
    tab: 'Dress',
    icon: 'garment',
    cost: 1,
    price: 'in words',
    mediaType: 'product_image',
    fields: {
      modelImage: image({
        label: 'Your Image (Required)',
        missing: 'Please upload a model image',
        samples: ['person-nora', 'person-tom', 'person-li'],
      }),
      garmentImage: image({
        label: 'Garment Image (Required)',
        missing: 'Please upload a garment image',
        samples: ['garment-striped', 'garment-tshirt', 'garment-jacket'],
      }),
    },
    says: {
      ...PICTURE_SAYS,
      button: 'Generate Dress Change',
      again: 'Generate Dress Change',
      working: 'Generating dress change...',
      done: 'Dress change generated successfully!',
      failed: 'An unexpected error occurred while generating the dress change. Please try again.',
      failures: { timeout: 'The dress change took longer than 5 minutes. Please try again.' },
      poor: 'Not enough credits. Please purchase more credits to continue.',
      download: 'Download Image',
      empty: 'The new look will stand here',
      start: 'Add a person and a garment. Most image edits take under 1 minute.',
    },
    file: { folder: 'dress', name: 'dress-change', type: 'png' },
    shows: { kind: 'compare', before: 'modelImage', after: 'New look' },
    requirements: [IMAGE_REQUIREMENT, { says: 'Both images are required', met: 'all' }],
    requirementsAt: 'top',
    patience: FIVE_MINUTES,
  },
  'headshot-generator': {
    ...PICTURE_TOOL,
    title: 'Headshot Generator',
    line: 'Your face on a studio portrait. Choose the portrait, we do the rest.',
    menu: null,
    besides: 'dress-change',
    name: 'Headshot',
    tab: 'Headshot',
    icon: 'portrait',
    cost: 1,
    mediaType: 'product_image',
    fields: {
      image: image({ label: 'Face image', missing: HEADSHOT_MISSING, samples: ['face-nora', 'face-tom', 'face-li'] }),
      targetModelId: { kind: 'model', label: 'Target Model', missing: HEADSHOT_MISSING },
      gender: choice({
        label: 'Gender',
        options: [
          { value: '', label: 'Not specified' },
          { value: 'male', label: 'Male' },
          { value: 'female', label: 'Female' },
          { value: 'non-binary', label: 'Non-binary' },
        ],
      }),
      hairStyle: choice({
        label: 'Hair Style',
        options: [
          { value: 'user_hair', label: "Keep User's Hair" },
          { value: 'target_hair', label: "Keep Target's Hair" },
        ],
      }),
    },
    shown: ['image', 'gender', 'targetModelId', 'hairStyle'],
    says: {
      ...PICTURE_SAYS,
      button: 'Generate Headshot',
      again: 'Generate Headshot',
      working: 'Generating headshot...',
      done: 'Headshot ready',
      failed: 'Failed to generate headshot',
      download: 'Download Headshot',
      empty: 'Your headshot will stand here',
      start: 'Add a photo of your face and choose a portrait. Most image edits take under 1 minute.',
    },
    file: { folder: 'headshots', name: 'headshot', type: 'png' },
    shows: { kind: 'compare', before: 'image', after: 'Headshot' },
    requirements: [IMAGE_REQUIREMENT, { says: 'Face image and target model required', met: 'all' }],
    patience: { everyMs: 2000, tries: 90 },
  },
  'basic-image-to-video': {
    ...VIDEO_TOOL,
    title: 'Basic Image to Video',
    line: 'A short square clip from one photo. We crop it to a square for you.',
    menu: null,
    besides: 'image-to-video',
    name: 'Basic Video',
    tab: 'Basic video',
    icon: 'loop',
    cost: 2,
    mediaType: 'basic_video',
    fields: {
      image: videoImage({
        label: 'Image',
        missing: 'Please select and process an image',
        samples: ['mug', 'dropper', 'handbag'],
        prepare: 'square',
      }),
    },
    says: {
      ...VIDEO_SAYS,
      button: 'Generate Video',
      again: 'Generate again',
      working: 'Generating video...',
      done: 'Video ready',
      failed: 'Failed to generate video',
      failures: { noUrl: 'Failed to generate video: No URL returned' },
      download: 'Download Video',
      empty: 'Your video will play here',
      start: 'Add a photo. Videos take 2-3 minutes, and you can keep working meanwhile.',
    },
    file: { folder: 'basic-videos', name: 'basic-video', type: 'mp4' },
    shows: { kind: 'video', loops: true },
    requirements: [VIDEO_REQUIREMENT, { says: 'Image required', met: 'all' }],
    patience: FIVE_MINUTES,
  },
  'image-to-video': {
    ...VIDEO_TOOL,
    title: 'Image to Video',
    line: 'Say how the camera or the product should move.',
    menu: 'Product Video Generate',
    name: 'Product Video',
    tab: 'Video',
    icon: 'video',
    cost: 5,
    mediaType: 'premium_video',
    fields: {
      image: videoImage({ label: 'Image', missing: VIDEO_MISSING, samples: ['mug', 'dropper', 'handbag'] }),
      prompt: motionText({
        label: 'Motion Description',
        missing: VIDEO_MISSING,
        placeholder: 'For example: the camera glides closer while the light moves across',
        suggestions: ['Slow turn to the left', 'Camera glides closer', 'Light moves across'],
      }),
      aspectRatio: choice({
        label: 'Aspect ratio',
        values: ['1:1', '16:9'],
        fallback: '16:9',
        options: [{ value: '1:1', label: 'Square 1:1' }],
      }),
    },
    says: {
      ...VIDEO_SAYS,
      button: 'Generate Video',
      again: 'Generate again',
      working: 'Generating video...',
      done: 'Video ready',
      failed: 'Failed to generate video',
      failures: {
        timeout: 'Video generation timed out. Please try again.',
        notFound: 'Video generation not found or expired',
        submitStatus: 'Failed to start video generation ({status})',
        checkStatus: 'Failed to check video status ({status})',
      },
      download: 'Download Video',
      empty: 'Your video will play here',
      start: 'Add a photo and a sentence. Videos take 2-3 minutes, and you can keep working meanwhile.',
    },
    file: { folder: 'premium-videos', name: 'premium-video', type: 'mp4' },
    shows: { kind: 'video', loops: false },
    requirements: [VIDEO_REQUIREMENT, { says: 'Image and motion description required', met: 'all' }],
    patience: FIVE_MINUTES,
  },
} as const satisfies Record<string, Tool>;

export type ToolId = keyof typeof tools;

export const toolIds = Object.keys(tools) as ToolId[];

/** What a tool is called outside its own screen: its word in the sidebar, or its title when it does not stand there. */
export function nameTool({ menu, title }: Pick<Tool, 'menu' | 'title'>): string {
  return menu ?? title;
}

/** The tool with this id, or undefined for anything else (also for names every object has). */
export function findTool(id: string): Tool | undefined {
  return isToolId(id) ? tools[id] : undefined;
}

export function isToolId(id: string): id is ToolId {
  return Object.hasOwn(tools, id);
}
