import { generationSchema, type Generation } from '@plinth/contract/generations';
import { isGuide } from '@plinth/contract/tool-fields';
import type { Tool } from '@plinth/contract/tool';
import type { ToolId } from '@plinth/contract/tools';
import type { Api, ApiError } from '../platform/api.ts';
import type { Draft } from './drafts.ts';
import { printForm } from './form-print.ts';

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

type Sending = {
  /** The fields of what serves the tool, where that is known: guides may not be among them. */
  takes: readonly string[] | undefined;
  signal: AbortSignal;
  onSent: (sent: number, total: number) => void;
};

/** Sends a form. */
export function submitGeneration(
  api: Api,
  toolId: ToolId,
  tool: Tool,
  { key, draft }: Attempt,
  { takes, ...sending }: Sending,
): Promise<Generation> {
  const form = new FormData();
  const print = printForm(tool, draft);
  for (const [name, field] of Object.entries(tool.fields)) {
    const value = draft[name];
    if (isGuide(field) && takes?.includes(name) === false) continue;
    const text = field.kind === 'text' ? value : print[name];
    if (typeof value !== 'object') {
      if (typeof text === 'string') form.append(name, text);
    } else if (value.mediaId !== undefined) form.append(name, value.mediaId);
    else form.append(name, value.file, value.file.name);
  }
  return api.send(`/api/v1/tools/${toolId}/generations`, generationSchema, {
    method: 'POST',
    form,
    idempotencyKey: key,
    ...sending,
  });
}

function isSameDraft(one: Draft, other: Draft): boolean {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => {
    const [a, b] = [one[name], other[name]];
    return typeof a === 'object' && typeof b === 'object' ? a.file === b.file && a.marks === b.marks : a === b;
  });
}
