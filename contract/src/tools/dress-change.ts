import type { Tool } from '../tool.ts';
import { FIVE_MINUTES, IMAGE_REQUIREMENT, PICTURE_SAYS, PICTURE_TOOL } from '../tool-defaults.ts';
import { image } from '../tool-fields.ts';

const NO_BOTTOMS = { says: 'Tops, jackets and dresses; no trousers or skirts', only: 'built-in' } as const;

export const dressChange = {
  ...PICTURE_TOOL,
  title: 'Dress Change Generator',
  line: 'One photo of a person, one of a garment. The garment moves over, the person stays.',
  menu: 'Dress Changer',
  name: 'Dress Changer',
  tab: 'Dress',
  icon: 'garment',
  cost: 1,
  price: 'in words',
  fields: {
    modelImage: image({
      label: 'Your Image (Required)',
      noun: 'person',
      missing: 'Please upload a model image',
      samples: ['person-nora', 'person-tom', 'person-li'],
    }),
    garmentImage: image({
      label: 'Garment Image (Required)',
      noun: 'garment',
      missing: 'Please upload a garment image',
      samples: ['garment-striped', 'garment-tshirt', 'garment-jacket'],
    }),
    garmentMarks: { kind: 'marks', of: 'garmentImage' },
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
  file: { folder: 'dress', name: 'dress-change', ending: 'dress', type: 'png' },
  composes: 'person',
  shows: { kind: 'compare', before: 'modelImage', after: 'New look' },
  requirements: [IMAGE_REQUIREMENT, { says: 'Both images are required', met: 'all' }, NO_BOTTOMS],
  requirementsAt: 'top',
  patience: FIVE_MINUTES,
} as const satisfies Tool;
