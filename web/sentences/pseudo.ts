// node web/sentences/pseudo.ts FILE: writes the catalogue of a language that nobody speaks, whose every sentence is the
// English one in ⟦brackets⟧: what stands on a screen without them comes from no catalogue.
import { readFileSync, writeFileSync } from 'node:fs';
import PO from 'pofile';
import { ENGLISH } from './catalogue.ts';

const [, , path] = process.argv;
if (path === undefined) throw new Error('Name the file to write.');
const catalogue = PO.parse(readFileSync(ENGLISH, 'utf8'));
// English "with accents", which CLDR keeps for this purpose.
catalogue.headers.Language = 'en-XA';
for (const item of catalogue.items)
  item.msgstr = [item.msgid, item.msgid_plural].filter((text) => text !== undefined).map((text) => `⟦${text}⟧`);
writeFileSync(path, catalogue.toString());
