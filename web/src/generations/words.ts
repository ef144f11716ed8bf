import type { TextField, Tool } from '@plinth/contract/tool';

/** The field of a tool's words, and its name; null where it takes none. */
export function findWords({ fields }: Tool): { name: string; field: TextField } | null {
  for (const [name, field] of Object.entries(fields)) if (field.kind === 'text') return { name, field };
  return null;
}
