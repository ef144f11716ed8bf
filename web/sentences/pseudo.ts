// node web/sentences/pseudo.ts FILE: writes a pseudo-language catalogue with every English sentence in ⟦brackets⟧. Text
// on a screen without brackets is not in the catalogue.
import { readFileSync, writeFileSync } from 'node:fs';
import PO from 'pofile';
import { ENGLISH } from './catalogue.ts';

const [, , path] = process.argv;
if (path === undefined) throw new Error('Name the file to write.');
const catalogue = PO.parse(readFileSync(ENGLISH, 'utf8'));
// English "with accents", which CLDR reserves for pseudo-localization.
catalogue.headers.Language = 'en-XA';
for (const item of catalogue.items)
  item.msgstr = [item.msgid, item.msgid_plural].filter((text) => text !== undefined).map((text) => `⟦${text}⟧`);
writeFileSync(path, catalogue.toString());
