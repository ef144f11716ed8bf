import { toolIds, tools, type Tool, type ToolId } from '@plinth/contract/tools';

export type MenuTool = { id: ToolId; to: string; menu: string; tab: string; icon: Tool['icon'] };

/** The tools that stand in the sidebar, in the order of the table. */
export const menuTools: MenuTool[] = toolIds.flatMap((id) => {
  const { menu, tab, icon }: Tool = tools[id];
  return menu === null ? [] : [{ id, to: `/dashboard/${id}`, menu, tab, icon }];
});

export const CATALOGUE_PATH = '/dashboard/catalogue';
