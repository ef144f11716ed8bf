// node scripts/pseudo-language.mjs FOLDER: copies the built browser part there and adds the pages of a pseudo-language
// (web/sentences/pseudo.ts), unless the folder already has those of the current build.
import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildLanguage, must, node, root } from './steps.mjs';

const folder = resolve(process.argv[2]);
const dist = join(root, 'web', 'dist');
const stampIn = (place) => existsSync(join(place, '.stamp')) && readFileSync(join(place, '.stamp'), 'utf8');
if (stampIn(folder) !== stampIn(dist)) {
  const catalogue = `${folder}.po`;
  rmSync(folder, { recursive: true, force: true });
  cpSync(dist, folder, { recursive: true, filter: (path) => !path.endsWith('.stamp') });
  await must(node, ['web/sentences/pseudo.ts', catalogue]);
  await buildLanguage(folder, catalogue);
  cpSync(join(dist, '.stamp'), join(folder, '.stamp'));
}
