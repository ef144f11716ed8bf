import type { Tool } from './tool.ts';
import { basicImageToVideo } from './tools/basic-image-to-video.ts';
import { dressChange } from './tools/dress-change.ts';
import { headshotGenerator } from './tools/headshot-generator.ts';
import { imageToVideo } from './tools/image-to-video.ts';
import { remover } from './tools/remover.ts';
import { textToImage } from './tools/text-to-image.ts';

/** Every tool, in the order of the API and the screens; routes, prices, refusals and names are derived from here. */
export const tools = {
  'text-to-image': textToImage,
  remover,
  'dress-change': dressChange,
  'headshot-generator': headshotGenerator,
  'basic-image-to-video': basicImageToVideo,
  'image-to-video': imageToVideo,
} as const satisfies Record<string, Tool>;

/** What is asked about a photo before a tool gets it: the picture, and what a person marked on it. */
export const SUBJECT_FIELDS = remover.fields;

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
