import type { Tool } from './tool.ts';
import { basicImageToVideo } from './tools/basic-image-to-video.ts';
import { dressChange } from './tools/dress-change.ts';
import { headshotGenerator } from './tools/headshot-generator.ts';
import { imageToVideo } from './tools/image-to-video.ts';
import { remover } from './tools/remover.ts';
import { textToImage } from './tools/text-to-image.ts';

/** Every tool, in the order of the API and the screens. Routes, prices, errors and names derive from it. */
export const tools = {
  'text-to-image': textToImage,
  remover,
  'dress-change': dressChange,
  'headshot-generator': headshotGenerator,
  'basic-image-to-video': basicImageToVideo,
  'image-to-video': imageToVideo,
} as const satisfies Record<string, Tool>;

/** Fields of `POST /subject`: a photo and the user's marks on it. */
export const SUBJECT_FIELDS = remover.fields;

export type ToolId = keyof typeof tools;

export const toolIds = Object.keys(tools) as ToolId[];

/** Returns a tool's name outside its screen: its name in the sidebar, or its title if it is not listed there. */
export function nameTool({ menu, title }: Pick<Tool, 'menu' | 'title'>): string {
  return menu ?? title;
}

/** Finds the tool with this id. Names of `Object.prototype` find nothing. */
export function findTool(id: string): Tool | undefined {
  return isToolId(id) ? tools[id] : undefined;
}

export function isToolId(id: string): id is ToolId {
  return Object.hasOwn(tools, id);
}
