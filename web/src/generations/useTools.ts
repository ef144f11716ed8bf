import { toolListSchema, type ToolEntry } from '@plinth/contract/generations';
import type { Tool, ToolField } from '@plinth/contract/tool';
import { isGuide, narrowChoice } from '@plinth/contract/tool-fields';
import { statusSchema } from '@plinth/contract/status';
import { tools, type ToolId } from '@plinth/contract/tools';
import { useAnswer } from '../platform/useAnswer.ts';

export const TOOLS_KEY = ['tools'];

/** What serves a tool and what it can do, and how many results the user can still return; undefined until known. */
export function useServedTool(toolId: ToolId): { entry: ToolEntry | undefined; returnsLeft: number } {
  const { data } = useAnswer(TOOLS_KEY, '/api/v1/tools', toolListSchema, { staleTime: Infinity });
  return { entry: data?.items.find(({ id }) => id === toolId), returnsLeft: data?.returnsLeft ?? 0 };
}

const MEASURED_MS = 10 * 60_000;

/** Duration of the tool as measured on this site in 30 days; while there is too little data, its own sentence. */
export function useUsualTime(toolId: ToolId, { says, usualMs }: Tool): { says: string; lateMs: number } {
  const { data } = useAnswer(['usual time'], '/api/v1/status', statusSchema, { staleTime: MEASURED_MS });
  const { medianSeconds: median = null, p95Seconds: late = null } = data?.days30.tools[toolId] ?? {};
  if (median === null || late === null) return { says: says.wait, lateMs: 2 * usualMs };
  const time = median < 90 ? `${Math.max(1, Math.round(median))} s` : `${Math.round(median / 60)} min`;
  return { says: `Usually ${time}.`, lateMs: 2000 * late };
}

/** True if the built-in engine serves the tool: the same form then gives the same result. */
export const isBuiltIn = (entry: ToolEntry | undefined): boolean => entry?.servedBy.kind === 'built-in';

export function takesMarks(entry: ToolEntry | undefined): boolean {
  return entry?.fields.some(({ type }) => type === 'marks') === true;
}

/** The tool with the choices, guides, requirements and times of what serves it; a hosted model's until known. */
export function narrowTool(toolId: ToolId, entry: ToolEntry | undefined): Tool {
  const tool: Tool = tools[toolId];
  if (entry === undefined) return tool;
  const fields = Object.entries(tool.fields).flatMap(([name, field]): [string, ToolField][] => {
    const served = entry.fields.find((one) => one.name === name);
    if (field.kind === 'variant' || isGuide(field)) return served === undefined ? [] : [[name, field]];
    if (field.kind !== 'choice') return [[name, field]];
    if (served?.options === undefined) return [];
    const { options, instead } = served;
    return [[name, { ...narrowChoice(field, options), ...(instead && { instead }) }]];
  });
  const requirements = tool.requirements.filter(({ only }) => only === undefined || only === entry.servedBy.kind);
  const says = isBuiltIn(entry) ? { ...tool.says, ...tool.builtInSays } : tool.says;
  return { ...tool, fields: Object.fromEntries(fields), requirements, says };
}
