import { z } from 'zod';
import { stemOf } from './names.ts';
import { roles } from './pack-names.ts';

/** Facts that the seller enters about an item besides its photo. */

const HEIGHT_MIN_CM = 0.1;
const HEIGHT_MAX_CM = 1000;

/** True for an EAN whose last digit is the right check digit (GS1 General Specifications, 7.9). */
export function isEan(text: string): boolean {
  if (!/^(\d{8}|\d{12,14})$/.test(text)) return false;
  const checksum = [...text].toReversed().reduce((sum, digit, at) => sum + Number(digit) * (at % 2 === 0 ? 1 : 3), 0);
  return checksum % 10 === 0;
}

/** Parses the facts from text, as forms and tables have them. Null is an empty field. */
export const itemFactsSchema = z.object({
  heightCm: z
    .string()
    .regex(/^(?=.)\d{0,4}(\.\d{1,6})?$/, 'height_invalid')
    .transform(Number)
    .refine((height) => height >= HEIGHT_MIN_CM && height <= HEIGHT_MAX_CM, 'height_invalid')
    .nullable(),
  asin: z
    .string()
    .regex(/^[A-Z0-9]{10}$/)
    .nullable(),
  ean: z.string().refine(isEan).nullable(),
  role: z.enum(roles).nullable(),
  handle: z
    .string()
    .max(255)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)
    .nullable(),
});
export type ItemFacts = z.infer<typeof itemFactsSchema>;
export const factNames = Object.keys(itemFactsSchema.shape) as (keyof ItemFacts)[];

const ALT_MAX_LENGTH = 125;

/** Returns alternative text of at most 125 characters: SKU or photo name, then the prompt's words. */
export function altText(item: { sku: string | null; filename: string | null }, words: readonly string[]): string {
  const stem = stemOf(item.filename ?? '').replace(/[-_]+/g, ' ');
  const parts = [item.sku ?? stem, words.join(', ')].map((part) => part.replace(/\s+/g, ' ').trim());
  const whole = parts.filter((part) => part !== '').join(': ');
  const letters = [...whole];
  if (letters.length <= ALT_MAX_LENGTH) return whole;
  const cut = letters.slice(0, ALT_MAX_LENGTH - 1).join('');
  return `${cut.replace(/\s+\S*$/, '')}…`;
}
