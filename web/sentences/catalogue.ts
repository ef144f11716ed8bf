import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import PO from 'pofile';
import { findNames, findSentences } from './find.ts';
import type { Lookup } from './translate.ts';

/** Sentence catalogues: one PO file per language. `en.po` lists the sentences found in the sources. */

export const REPOSITORY = join(import.meta.dirname, '..', '..');
const FOLDER = import.meta.dirname;
/** Folders whose text the browser shows. */
const SOURCES = ['web/src', 'contract/src'];
/** True if a file may contain sentences for users. Tests, descriptions for programs and code samples do not. */
export const speaks = (path: string): boolean =>
  /^(web|contract)\/src\/.*\.tsx?$/.test(path) && !/\.test\.tsx?$|^contract\/src\/(openapi|api\/samples)/.test(path);
/** Page shells, whose few sentences are in HTML. */
const SHELLS = ['web/index.html', 'web/public.html'];
/** Sentences that the server sends in English and a page shows in its own language. */
const OF_SERVER = /^contract\/src\/(errors|tool-defaults|payments|tools\/[\w-]+)\.ts$/;

export const ENGLISH = join(FOLDER, 'en.po');

/** Places where a sentence is used, and its plural form if it counts something. */
export type Listed = { many: string | undefined; files: Set<string> };

/** Returns every sentence of the sources by its id, ordered by file and line. */
export function listSentences(): Map<string, Listed> {
  const sources = SOURCES.flatMap(listFiles).map((path) => ({ path, source: readSource(path) }));
  const names = new Set(sources.flatMap(({ path, source }) => findNames(path, source)));
  const listed = new Map<string, Listed>();
  const add = (id: string, path: string, many?: string) => {
    const known = listed.get(id) ?? { many: undefined, files: new Set() };
    known.files.add(path);
    known.many ??= many;
    listed.set(id, known);
  };
  for (const { path, source } of sources) {
    for (const { id, many, kind } of findSentences(path, source)) {
      if (kind === 'children' || many !== undefined || !names.has(id)) add(id, path, many);
    }
  }
  for (const path of SHELLS) for (const id of findInShell(readSource(path))) add(id, path);
  return listed;
}

function listFiles(folder: string): string[] {
  return readdirSync(join(REPOSITORY, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter(speaks)
    .sort();
}

const readSource = (path: string): string => readFileSync(join(REPOSITORY, path), 'utf8');

const IN_SHELL = /(?<=<(?:p|span|a)\b[^>]*>)[^<>]*\p{L}{2}[^<>]*(?=<\/)|(?<=name="description"\s+content=")[^"]+/gu;

/** Returns the sentences of a page shell. */
export const findInShell = (html: string): string[] => html.match(IN_SHELL) ?? [];

/** Returns a page shell in another language. */
export function translateShell(html: string, { language, lookup }: Catalogue): string {
  return html.replace(IN_SHELL, (id) => lookup(id)?.[0] ?? id).replace('<html lang="en"', `<html lang="${language}"`);
}

export type Catalogue = {
  /** BCP 47 tag: "de", "pt-BR". */
  language: string;
  lookup: Lookup;
  /** Returns the server's sentences by their English text. */
  ofServer: Record<string, string>;
};

/** Reads the catalogue of a language other than English. Sentences without a translation stay English. */
export function readCatalogue(path: string): Catalogue {
  const { headers, items } = PO.parse(readFileSync(path, 'utf8'));
  const translations = new Map(items.filter(isDone).map(({ msgid, msgstr }) => [msgid, msgstr]));
  const ofServer = items
    .filter((item) => isDone(item) && item.references.some((file) => OF_SERVER.test(file)))
    .map(({ msgid, msgstr }): [string, string] => [msgid, msgstr[0] ?? '']);
  return {
    language: headers.Language ?? '',
    lookup: (id) => translations.get(id),
    ofServer: Object.fromEntries(ofServer),
  };
}

type Item = InstanceType<typeof PO.Item>;
const isDone = ({ msgstr }: Item): boolean => msgstr.length > 0 && msgstr.every((form) => form !== '');

/** Reads every catalogue, including English. */
export const listCatalogues = (): string[] =>
  readdirSync(FOLDER)
    .filter((name) => name.endsWith('.po'))
    .map((name) => join(FOLDER, name));

/** Returns the ids of a catalogue in its order. */
export const listIds = (path: string): string[] => PO.parse(readFileSync(path, 'utf8')).items.map(({ msgid }) => msgid);

/** Updates a catalogue to the sentences of the sources: adds new ones untranslated and removes unused ones. */
export function updateCatalogue(path: string, listed: Map<string, Listed>): void {
  const catalogue = PO.parse(readFileSync(path, 'utf8'));
  const known = new Map(catalogue.items.map((item) => [item.msgid, item]));
  catalogue.items = [...listed].map(([id, { many, files }]) => {
    const item = known.get(id) ?? new PO.Item();
    item.msgid = id;
    if (many !== undefined) item.msgid_plural = many;
    item.references = [...files];
    return item;
  });
  writeFileSync(path, `${catalogue.toString()}`);
}
