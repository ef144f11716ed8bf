import { toolIds, tools, type ToolId } from '@plinth/contract/tools';
import type { Tool } from '@plinth/contract/tool';

export type MenuTool = { id: ToolId; to: string; menu: string; tab: string; icon: Tool['icon'] };

/** The tools that stand in the sidebar, in the order of the table. */
export const menuTools: MenuTool[] = toolIds.flatMap((id) => {
  const { menu, tab, icon }: Tool = tools[id];
  return menu === null ? [] : [{ id, to: `/dashboard/${id}`, menu, tab, icon }];
});

/** Every tool, also those that the sidebar reaches from another one: a phone shows no card beside a form. */
export const allTools: MenuTool[] = toolIds.map((id) => {
  const { menu, name, tab, icon }: Tool = tools[id];
  return { id, to: `/dashboard/${id}`, menu: menu ?? name, tab, icon };
});

export const CATALOGUE_PATH = '/dashboard/catalogue';
