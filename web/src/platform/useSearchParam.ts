import { useSearch } from '@tanstack/react-router';

/** One value of the address's query part, as it came: checked by whoever reads it. */
export function useSearchParam(name: string): unknown {
  const search: Record<string, unknown> = useSearch({ strict: false });
  return search[name];
}
