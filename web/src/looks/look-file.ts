import { givenLookSchema, lookSettingsSchema } from '@plinth/contract/looks';
import type { GivenLook } from './useLooks.ts';

/** The look in a file that was exported here or elsewhere, as a new one; null where it holds none. */
export function readLookFile(text: string): GivenLook | null {
  try {
    const given = givenLookSchema.parse(JSON.parse(text));
    return { name: given.name, ...lookSettingsSchema.parse(given) };
  } catch {
    return null;
  }
}
