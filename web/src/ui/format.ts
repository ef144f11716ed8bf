import { LANGUAGE } from '../platform/language.ts';

const count = new Intl.NumberFormat(LANGUAGE);
const dateTime = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: 'medium', timeStyle: 'short' });
const shortDateTime = new Intl.DateTimeFormat(LANGUAGE, {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
});

/** Capitalizes the first letter. */
export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
export const formatCount = (value: number) => count.format(value);
export const formatDateTime = (iso: string) => dateTime.format(new Date(iso));
export const formatShortDateTime = (iso: string) => shortDateTime.format(new Date(iso));
export const formatKilobytes = (bytes: number) =>
  `${count.format(Math.max(Math.sign(bytes), Math.round(bytes / 1024)))} KB`;
/** "36 KB", "0.4 MB", "12 MB" */
export function formatSize(bytes: number): string {
  const megabytes = bytes / 1_048_576;
  if (megabytes < 0.1) return formatKilobytes(bytes);
  return megabytes < 10 ? `${megabytes.toFixed(1)} MB` : `${count.format(Math.round(megabytes))} MB`;
}

/** "2 photos". In other languages the build passes the noun in each plural form, in CLDR's order. */
export function plural(value: number, word: string | readonly string[]): string {
  const formed = typeof word === 'string' ? `${word}${value === 1 ? '' : 's'}` : formOf(value, word);
  return `${count.format(value)} ${formed}`;
}

const FORMS = ['zero', 'one', 'two', 'few', 'many', 'other'] as const;

function formOf(value: number, words: readonly string[]): string | undefined {
  // An English build drops this branch.
  if (import.meta.env.VITE_LANGUAGE === 'en-US') return words[0];
  const rules = new Intl.PluralRules(LANGUAGE);
  const used = rules.resolvedOptions().pluralCategories;
  return words[FORMS.filter((form) => used.includes(form)).indexOf(rules.select(value))] ?? words.at(-1);
}

/** "0:14" for an elapsed time. */
export function formatElapsed(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** "22 h 40 min", under an hour "41 min", never less than a minute. */
export function formatRemaining(ms: number): string {
  const minutes = Math.max(1, Math.floor(ms / 60_000));
  if (minutes < 60) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}

/** "$15", or "$0.75" if there are cents. */
export function formatPrice(cents: number): string {
  return cents % 100 === 0 ? `$${count.format(cents / 100)}` : `$${(cents / 100).toFixed(2)}`;
}
