import type { Tool } from './tool.ts';

/** The least and the most credits that one generation can cost, whatever is chosen. */
export function costRange({ cost, fields }: Pick<Tool, 'cost' | 'fields'>): [least: number, most: number] {
  const choices = Object.values(fields).flatMap((field) => (field.kind === 'choice' ? [field.costs ?? {}] : []));
  const costs = [cost, ...choices.flatMap((one) => Object.values(one))];
  return [Math.min(...costs), Math.max(...costs)];
}
