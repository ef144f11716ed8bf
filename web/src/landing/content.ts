import { IMAGE_MAX_BYTES, MEBIBYTE, MEDIA_TTL_SECONDS } from '@plinth/contract/limits';
import { costRange } from '@plinth/contract/cost-range';
import { tools, type ToolId } from '@plinth/contract/tools';
import { plural } from '../ui/format.ts';

/** Text of the start page. Text about the operator comes from settings (`ui/pages/site.tsx`). */

/** A place where pictures from Plinth are used; a publication only with its permission, then with its address. */
export type Badge = { name: string; url?: string };

export const HOURS = MEDIA_TTL_SECONDS / 3600;
export const UPLOADS = `JPEG, PNG or WebP, up to ${IMAGE_MAX_BYTES / MEBIBYTE}MB`;
const [min, max] = costRange(tools['image-to-video']);
export const credits = (toolId: ToolId) => plural(tools[toolId].cost, 'credit');

export const features = [
  {
    title: 'Image background changer',
    tool: 'text-to-image',
    text: 'Describe a place in your own words. Your product stands in it, lit as if it had been there.',
    price: credits('text-to-image'),
    picture: { name: 'scene-arches', look: 'scene', alt: 'A red mug on a pale step before pink arches' },
  },
  {
    title: 'Video background changer',
    tool: 'image-to-video',
    text: 'Turn one still into a short clip with its own setting and a slow, steady movement.',
    price: `from ${plural(Math.min(tools['basic-image-to-video'].cost, tools['image-to-video'].cost), 'credit')}`,
    picture: {
      name: 'scene-candle',
      look: 'clip',
      alt: 'A candle on a stone block before a terracotta wall, around which the camera goes',
    },
  },
  {
    title: 'Free image background removal',
    tool: 'remover',
    text: 'Frees the product from whatever stood behind it. You get a clean PNG with real transparency.',
    price: `free above, ${credits('remover')} signed in`,
    picture: { name: 'cutout-teddy', look: 'cutout', alt: 'A teddy bear without a background' },
  },
  {
    title: 'Dress changer',
    tool: 'dress-change',
    text: 'Put a garment on the person in your photo. No fitting, no second shoot.',
    price: credits('dress-change'),
    picture: { name: 'scene-dress', look: 'scene', alt: 'A man in a navy jacket, put on him by the tool' },
  },
] as const;

export const studies = [
  {
    picture: 'study-marble',
    width: 900,
    height: 1125,
    alt: 'A dropper bottle on white marble',
    sentence: 'white marble podium, soft light',
  },
  {
    picture: 'study-table',
    width: 1200,
    height: 675,
    alt: 'A red mug on a wooden table before a window',
    sentence: 'wooden table, morning light',
  },
  {
    picture: 'study-leaves',
    width: 900,
    height: 1125,
    alt: 'A dropper bottle before a green wall with the shadow of leaves',
    sentence: 'sage green wall, leaf shadow',
  },
  {
    picture: 'study-window',
    width: 1140,
    height: 1140,
    alt: 'A white candle on a stone block before a terracotta wall',
    sentence: 'terracotta wall, window light',
  },
  {
    picture: 'study-nursery',
    width: 1200,
    height: 1200,
    alt: 'A teddy bear in a nursery with a wooden rainbow',
    sentence: 'nursery with toys and a rainbow',
  },
];

export const benefits = [
  {
    name: 'Fast',
    title: 'Under 1 minute',
    text: 'for most image edits. Videos take 2-3 minutes, and you can keep working meanwhile.',
  },
  {
    name: 'AI-powered',
    title: 'In your words',
    text: 'No layers, no masks, no presets to learn. Say what the picture should look like.',
  },
  {
    name: 'Secure and private',
    title: `Gone in ${HOURS} hours`,
    text: `Uploads and results are deleted after ${HOURS} hours. Your content is not sold or shared with third parties.`,
  },
];

export const questions = [
  {
    question: 'What kind of photo do I need?',
    answer: `Any sharp photo in which the whole product is visible. ${UPLOADS}. Daylight from a window helps more than a good camera.`,
  },
  {
    question: 'How long does it take?',
    answer:
      'Most image edits take under 1 minute, videos 2-3 minutes. You can start the next one while the first is still running, and close the tab: the result waits for you in your history.',
  },
  {
    question: 'What does a credit buy?',
    answer: `One credit is one image edit: a new background, a removed background, a dress change or a headshot. A basic video costs ${credits('basic-image-to-video')}, a product video ${min} to ${max}. The price is on the button before you press it.`,
  },
  {
    question: 'What if a generation fails?',
    answer:
      'The credits it cost return to your balance at once, without you asking, and we tell you on the screen. You never pay for a picture you did not get.',
  },
  {
    question: 'How long are my files kept?',
    answer: `${HOURS} hours. Then your uploads and everything made from them are deleted. Download what you want to keep; the history shows how much time each file has left.`,
  },
  {
    question: 'Can I get my money back?',
    answer:
      'Purchased credits are non-refundable, so start with the smallest package. Credits spent on a generation that fails are different: those always come back to your balance.',
  },
];
/** The question that is open at first. */
export const OPEN_QUESTION = 'What if a generation fails?';

export const featuredOn: Badge[] = [
  { name: 'Product pages' },
  { name: 'Marketplace listings' },
  { name: 'Social feeds' },
  { name: 'Newsletters' },
  { name: 'Lookbooks' },
];
