import { z } from 'zod';

/** One page of a list, newest first. */
export function pageSchema<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), nextCursor: z.string().nullable() });
}

export type Page<Item> = { items: Item[]; nextCursor: string | null };
