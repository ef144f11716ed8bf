import type { Tool } from '../tool.ts';
import { VIDEO_REQUIREMENT, VIDEO_SAYS, VIDEO_TOOL } from '../tool-defaults.ts';
import { videoImage } from '../tool-fields.ts';

export const basicImageToVideo = {
  ...VIDEO_TOOL,
  title: 'Basic Image to Video',
  line: 'A short square clip from one photo. We frame the product for you.',
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
      samples: ['mug', 'dropper', 'candle'],
      prepare: 'square',
    }),
    marks: { kind: 'marks', of: 'image' },
  },
  says: {
    ...VIDEO_SAYS,
    failures: { noUrl: 'Failed to generate video: No URL returned' },
    start: 'Add a photo. Videos take 2-3 minutes, and you can keep working meanwhile.',
  },
  builtInSays: {
    wait: 'Usually 5 to 10 seconds.',
    start: 'Add a photo. Videos take under 1 minute, and you can keep working meanwhile.',
  },
  file: { folder: 'basic-videos', name: 'basic-video', ending: 'clip', type: 'mp4' },
  composes: 'scene',
  shows: { kind: 'video', loops: true },
  requirements: [VIDEO_REQUIREMENT, { says: 'Image required', met: 'all' }],
} as const satisfies Tool;
