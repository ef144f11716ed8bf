import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import PO from 'pofile';
import { findNames, findSentences } from './find.ts';
import type { Lookup } from './translate.ts';

/** Catalogues of sentences, one PO file per language; `en.po` lists what the sources say. */

export const REPOSITORY = join(import.meta.dirname, '..', '..');
const FOLDER = import.meta.dirname;
/** What the browser shows stands in these folders. */
const SOURCES = ['web/src', 'contract/src'];
/** Whether a file of the repository may say something: no test, no description for programs, no code to copy. */
export const speaks = (path: string): boolean =>
  /^(web|contract)\/src\/.*\.tsx?$/.test(path) && !/\.test\.tsx?$|^contract\/src\/(openapi|api\/samples)/.test(path);
/** Shells of pages, whose few words stand in HTML. */
const SHELLS = ['web/index.html', 'web/public.html'];
/** What the server says in English, and a page in its own language. */
const OF_SERVER = /^contract\/src\/(errors|tool-defaults|payments|tools\/[\w-]+)\.ts$/;

export const ENGLISH = join(FOLDER, 'en.po');

/** Where a sentence is said, and its form for many where words are counted. */
export type Listed = { many: string | undefined; files: Set<string> };

/** Every sentence of the sources by its id, in the order of files and lines. */
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

const IN_SHELL = /(?<=<(?:p|span)[^>]*>)[^<>]*\p{L}{2}[^<>]*(?=<\/)|(?<=name="description"\s+content=")[^"]+/gu;

/** The words of a page's shell. */
export const findInShell = (html: string): string[] => html.match(IN_SHELL) ?? [];

/** The shell of a page in another language. */
export function translateShell(html: string, { language, lookup }: Catalogue): string {
  return html.replace(IN_SHELL, (id) => lookup(id)?.[0] ?? id).replace('<html lang="en"', `<html lang="${language}"`);
}

export type Catalogue = {
  /** As BCP 47 names it: "de", "pt-BR". */
  language: string;
  lookup: Lookup;
  /** What the server says, by its English words. */
  ofServer: Record<string, string>;
};

/** Reads the catalogue of a language other than English. What it does not translate yet stays English. */
export function readCatalogue(path: string): Catalogue {
  const { headers, items } = PO.parse(readFileSync(path, 'utf8'));
  const said = new Map(items.filter(isDone).map(({ msgid, msgstr }) => [msgid, msgstr]));
  const ofServer = items
    .filter((item) => isDone(item) && item.references.some((file) => OF_SERVER.test(file)))
    .map(({ msgid, msgstr }): [string, string] => [msgid, msgstr[0] ?? '']);
  return {
    language: headers.Language ?? '',
    lookup: (id) => said.get(id),
    ofServer: Object.fromEntries(ofServer),
  };
}

type Item = InstanceType<typeof PO.Item>;
const isDone = ({ msgstr }: Item): boolean => msgstr.length > 0 && msgstr.every((form) => form !== '');

/** Every catalogue that exists, English too. */
export const listCatalogues = (): string[] =>
  readdirSync(FOLDER)
    .filter((name) => name.endsWith('.po'))
    .map((name) => join(FOLDER, name));

/** Ids of a catalogue, in its order. */
export const listIds = (path: string): string[] => PO.parse(readFileSync(path, 'utf8')).items.map(({ msgid }) => msgid);

/** Brings a catalogue to the sentences of the sources: what is new waits for its words, what is gone is taken out. */
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
