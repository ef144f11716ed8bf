import type { Tool } from '../tool.ts';
import { HEADSHOT_MISSING, IMAGE_REQUIREMENT, PICTURE_SAYS, PICTURE_TOOL } from '../tool-defaults.ts';
import { choice, image } from '../tool-fields.ts';

export const headshotGenerator = {
  ...PICTURE_TOOL,
  title: 'Headshot Generator',
  line: 'Your face on a studio portrait. Choose the portrait, we do the rest.',
  menu: null,
  besides: 'dress-change',
  name: 'Headshot',
  tab: 'Headshot',
  icon: 'portrait',
  cost: 1,
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
  file: { folder: 'headshots', name: 'headshot', ending: 'headshot', type: 'png' },
  composes: 'person',
  shows: { kind: 'compare', before: 'image', after: 'Headshot' },
  requirements: [IMAGE_REQUIREMENT, { says: 'Face image and target model required', met: 'all' }],
  patience: { everyMs: 2000, tries: 90 },
} as const satisfies Tool;
