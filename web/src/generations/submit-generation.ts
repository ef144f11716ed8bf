import { generationSchema, type Generation } from '@plinth/contract/generations';
import type { Tool } from '@plinth/contract/tool';
import type { ToolId } from '@plinth/contract/tools';
import type { Api, ApiError } from '../platform/api.ts';
import type { Draft } from './drafts.ts';

export type Attempt = { key: string; draft: Draft };

/** The same form sent again after a network failure keeps its key, so that nothing is paid twice. */
export function nextAttempt(last: Attempt | null, draft: Draft): Attempt {
  return last !== null && isSameDraft(last.draft, draft) ? last : { key: crypto.randomUUID(), draft };
}

/** Whether the server may have accepted although no answer came. */
export function isUnanswered(error: ApiError): boolean {
  return (
    error.code === 'network' || error.status === 502 || error.status === 504 || error.code === 'idempotency_in_progress'
  );
}

export function submitGeneration(api: Api, toolId: ToolId, tool: Tool, { key, draft }: Attempt): Promise<Generation> {
  const form = new FormData();
  for (const [name, field] of Object.entries(tool.fields)) {
    // What the screen shows as chosen is what is sent.
    const value = draft[name] ?? (field.kind === 'choice' ? field.options[0]?.value : undefined);
    if (typeof value === 'string') form.append(name, value);
    else if (value?.mediaId !== undefined) form.append(name, value.mediaId);
    else if (value !== undefined) form.append(name, value.file, value.file.name);
  }
  return api.send(`/api/v1/tools/${toolId}/generations`, generationSchema, {
    method: 'POST',
    form,
    idempotencyKey: key,
  });
}

function isSameDraft(one: Draft, other: Draft): boolean {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => {
    const [a, b] = [one[name], other[name]];
    return typeof a === 'object' && typeof b === 'object' ? a.file === b.file : a === b;
  });
}
