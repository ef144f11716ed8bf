import type { Tool } from '../tool.ts';
import { VIDEO_MISSING, VIDEO_REQUIREMENT, VIDEO_SAYS, VIDEO_TOOL } from '../tool-defaults.ts';
import { choice, motionText, videoImage } from '../tool-fields.ts';

export const imageToVideo = {
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
    image: videoImage({ label: 'Image', missing: VIDEO_MISSING, samples: ['mug', 'dropper', 'candle'] }),
    prompt: motionText({
      label: 'Motion Description',
      missing: VIDEO_MISSING,
      placeholder: 'For example: the camera glides closer while the light moves across',
      suggestions: ['Slow turn to the left', 'Camera glides closer', 'Light moves across'],
    }),
    aspectRatio: choice({
      label: 'Aspect ratio',
      fallback: '16:9',
      options: [
        { value: '1:1', label: 'Square 1:1' },
        { value: '16:9', label: 'Wide 16:9' },
        { value: '9:16', label: 'Tall 9:16' },
        { value: '4:5', label: 'Portrait 4:5' },
      ],
    }),
    duration: choice({
      label: 'Length',
      options: [
        { value: '5', label: '5 seconds' },
        { value: '8', label: '8 seconds' },
        { value: '12', label: '12 seconds' },
      ],
      costs: { '5': 5, '8': 8, '12': 12 },
    }),
    marks: { kind: 'marks', of: 'image' },
  },
  says: {
    ...VIDEO_SAYS,
    failures: {
      timeout: 'Video generation timed out. Please try again.',
      notFound: 'Video generation not found or expired',
      submitStatus: 'Failed to start video generation ({status})',
      checkStatus: 'Failed to check video status ({status})',
    },
    start: 'Add a photo and a sentence. Videos take 2-3 minutes, and you can keep working meanwhile.',
  },
  builtInSays: {
    wait: 'Usually 10 to 30 seconds.',
    start: 'Add a photo and a sentence. Videos take under 1 minute, and you can keep working meanwhile.',
  },
  file: { folder: 'premium-videos', name: 'premium-video', ending: 'clip', type: 'mp4' },
  composes: 'scene',
  shows: { kind: 'video', loops: false },
  requirements: [VIDEO_REQUIREMENT, { says: 'Image and motion description required', met: 'all' }],
} as const satisfies Tool;
