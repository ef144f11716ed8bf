import type { Tool } from '../tool.ts';
import { IMAGE_REQUIREMENT, PICTURE_SAYS, PICTURE_TOOL } from '../tool-defaults.ts';
import { image, sceneText } from '../tool-fields.ts';

export const textToImage = {
  ...PICTURE_TOOL,
  title: 'Background Customization',
  line: 'Say where your product should stand. Everything around it is replaced, the product stays as it is.',
  menu: 'Background Customization',
  name: 'Background Customization',
  tab: 'Background',
  icon: 'picture',
  cost: 1,
  fields: {
    image: image({
      label: 'Product image',
      missing: 'Please upload a product image',
      samples: ['mug', 'dropper', 'candle'],
    }),
    prompt: sceneText({
      label: 'Scene description',
      missing: 'Please provide a scene description',
      placeholder: 'For example: on a wooden table by a window, morning light',
      suggestions: ['Wooden table, morning light', 'Stone block, late sun', 'Plain studio, soft shadow'],
    }),
    placement: { kind: 'placement' },
    variant: { kind: 'variant', most: 9 },
    marks: { kind: 'marks', of: 'image' },
  },
  says: {
    ...PICTURE_SAYS,
    button: 'Generate',
    working: 'Generating product mockup...',
    done: 'Product mockup ready',
    failed: 'An unexpected error occurred while generating the product mockup. Please try again.',
    download: 'Download Mockup',
    empty: 'Your mockup will stand here',
    start: 'Add a photo and a sentence. Most image edits take under 1 minute.',
  },
  file: { folder: 'product-shot', name: 'product-shot', ending: 'scene', type: 'png' },
  composes: 'scene',
  // The engine shrinks the scene rather than enlarge a product that is small in its photo.
  keepsSides: 0.75,
  shows: { kind: 'compare', before: 'image', after: 'Mockup' },
  requirements: [IMAGE_REQUIREMENT, { says: 'Image and description required', met: 'all' }],
  patience: { everyMs: 1000, tries: 180 },
} as const satisfies Tool;
