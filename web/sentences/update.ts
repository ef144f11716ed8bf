// npm run sentences: updates every catalogue to the sentences of the sources.
import { listCatalogues, listSentences, updateCatalogue } from './catalogue.ts';

const listed = listSentences();
for (const path of listCatalogues()) updateCatalogue(path, listed);
