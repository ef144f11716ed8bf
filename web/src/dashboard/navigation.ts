import { toolIds, tools, type ToolId } from '@plinth/contract/tools';
import type { Tool } from '@plinth/contract/tool';

const besides = (id: ToolId): ToolId[] => toolIds.filter((other) => (tools[other] as Tool).besides === id);

/** Every tool in the order of the table; a tool that belongs to another one is listed below it. */
export const menuTools = toolIds
  .filter((id) => (tools[id] as Tool).besides === null)
  .flatMap((id) => [id, ...besides(id)])
  .map((id) => {
    const { menu, name, icon, besides: neighbour }: Tool = tools[id];
    return { id, to: `/dashboard/${id}`, menu: menu ?? name, icon, isBeside: neighbour !== null };
  });
export type MenuTool = (typeof menuTools)[number];

export const CATALOGUE_PATH = '/dashboard/catalogue';
