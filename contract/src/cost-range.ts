import type { Tool } from './tool.ts';

/** Returns the minimum and maximum credits of one generation over all choices. */
export function costRange({ cost, fields }: Pick<Tool, 'cost' | 'fields'>): [least: number, most: number] {
  const choices = Object.values(fields).flatMap((field) => (field.kind === 'choice' ? [field.costs ?? {}] : []));
  const costs = [cost, ...choices.flatMap((one) => Object.values(one))];
  return [Math.min(...costs), Math.max(...costs)];
}
