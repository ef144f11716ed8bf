// npm run sentences: brings every catalogue to what the sources say.
import { listCatalogues, listSentences, updateCatalogue } from './catalogue.ts';

const listed = listSentences();
for (const path of listCatalogues()) updateCatalogue(path, listed);
