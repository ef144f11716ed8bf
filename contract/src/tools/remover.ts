import type { Tool } from '../tool.ts';
import { IMAGE_REQUIREMENT, PICTURE_SAYS, PICTURE_TOOL } from '../tool-defaults.ts';
import { image } from '../tool-fields.ts';

export const remover = {
  ...PICTURE_TOOL,
  title: 'Background Customization',
  line: 'Remove the background. You get a PNG with real transparency.',
  menu: 'Remover Background',
  name: 'Background Removal',
  tab: 'Remover',
  icon: 'scissors',
  cost: 1,
  fields: {
    image: image({ label: 'Image', missing: 'Please upload an image', samples: ['mug', 'dropper', 'teddy'] }),
    marks: { kind: 'marks', of: 'image' },
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
  file: { folder: 'background-removed', name: 'removed-bg', ending: 'cutout', type: 'png' },
  composes: 'nothing',
  keepsSides: 1,
  shows: { kind: 'cutout' },
  requirements: [IMAGE_REQUIREMENT, { says: 'Image required', met: 'all' }],
  patience: { everyMs: 2000, tries: 30 },
} as const satisfies Tool;
