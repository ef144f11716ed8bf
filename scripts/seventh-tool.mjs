// Part of npm run test:slow: adds a tool to a copy of the sources, in the two places that CONTRIBUTING.md names,
// and runs types, lint, format and the tool suites there. It fails if a tool needs a change in a third place.
// Alone: node scripts/seventh-tool.mjs
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkTypes, node, root, run } from './steps.mjs';

const PARTS = ['contract', 'server', 'web'];
const FILES = [
  'lint',
  '.oxlintrc.json',
  'eslint.config.js',
  'package.json',
  'tsconfig.base.json',
  'vitest.config.ts',
  '.oxfmtrc.json',
];
const SUITES = [
  'contract/src/tools.test.ts',
  'contract/src/tool-fields.test.ts',
  'web/src/generations/every-tool.test.tsx',
  'web/src/generations/second-tries.test.tsx',
  'server/test/providers.test.ts',
];

const ENTRY = `import type { Tool } from '../tool.ts';
import { IMAGE_REQUIREMENT, PICTURE_SAYS, PICTURE_TOOL } from '../tool-defaults.ts';
import { image } from '../tool-fields.ts';

export const seventh = {
  ...PICTURE_TOOL,
  title: 'Seventh',
  line: 'A tool that exists in a copy alone.',
  menu: 'Seventh',
  name: 'Sevenths',
  tab: 'Seventh',
  icon: 'picture',
  cost: 1,
  fields: { image: image({ label: 'Image', missing: 'Please upload an image', samples: ['mug'] }) },
  says: {
    ...PICTURE_SAYS,
    button: 'Make a Seventh',
    again: 'Make a Seventh',
    working: 'Making a seventh...',
    done: 'A seventh is made',
    failed: 'Failed to make a seventh. Try another image.',
    download: 'Download Result',
    empty: 'Your seventh will stand here',
    start: 'Add a photo.',
  },
  file: { folder: 'sevenths', name: 'seventh', ending: 'seventh', type: 'png' },
  composes: 'nothing',
  shows: { kind: 'compare', before: 'image', after: 'Seventh' },
  requirements: [IMAGE_REQUIREMENT, { says: 'Image required', met: 'all' }],
  patience: { everyMs: 2000, tries: 30 },
} as const satisfies Tool;
`;
const MAPPING = `  seventh: {
    engine: { skill: 'seventh', pictures: { image: 'image_url' }, toInput: () => ({}) },
    hosted: { model: 'fal-ai/esrgan', toInput: ({ pictures }) => ({ image_url: pictures.image }), fileUrl: readImage },
  },
`;

function change(path, from, to) {
  const text = readFileSync(path, 'utf8');
  if (!text.includes(from)) throw new Error(`${path} no longer contains: ${from}`);
  writeFileSync(path, text.replace(from, to));
}

/** Copies the sources and links the original's packages. Only our own workspaces are the copy's. */
function copyInto(folder) {
  const isSource = (path) => !['node_modules', 'dist'].includes(basename(path));
  for (const name of [...PARTS, ...FILES])
    cpSync(join(root, name), join(folder, name), { recursive: true, filter: isSource });
  const link = (...path) => symlinkSync(join(root, ...path), join(folder, ...path));
  link('engine');
  // A package version that only one part needs is in that part's folder.
  for (const part of PARTS) if (existsSync(join(root, part, 'node_modules'))) link(part, 'node_modules');
  mkdirSync(join(folder, 'node_modules', '@plinth'), { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules')).filter((one) => one !== '@plinth' && one !== '.vite'))
    link('node_modules', name);
  for (const part of PARTS) symlinkSync(join(folder, part), join(folder, 'node_modules', '@plinth', part));
}

function addTool(folder) {
  const tools = join(folder, 'contract/src/tools.ts');
  writeFileSync(join(folder, 'contract/src/tools/seventh.ts'), ENTRY);
  change(tools, '\n\n/**', `\nimport { seventh } from './tools/seventh.ts';\n\n/**`);
  change(tools, '} as const satisfies Record<string, Tool>', '  seventh,\n} as const satisfies Record<string, Tool>');
  const mappings = join(folder, 'server/src/providers/mappings.ts');
  change(mappings, "  'image-to-video': {", `${MAPPING}  'image-to-video': {`);
  return { entry: [tools, join(folder, 'contract/src/tools/seventh.ts')], mappings };
}

/** True if a tool needs changes in two places only. Errors go to the terminal. */
export async function checkSeventhTool() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'plinth-seventh-tool-')));
  try {
    copyInto(folder);
    const { entry, mappings } = addTool(folder);
    const inCopy = (...parameters) => run(node, parameters, { cwd: folder, isParallel: true });
    const bin = (name, ...rest) => inCopy(join(root, 'node_modules', '.bin', name), ...rest);
    const types = async () => {
      for (const part of PARTS) if ((await inCopy(...checkTypes(part))) !== 0) return 1;
      return 0;
    };
    const rest = async () =>
      (await bin('oxlint', ...entry, mappings)) ||
      // Without the mapping, for which ESLint would load the types of the whole server.
      (await bin('eslint', '--max-warnings', '0', ...entry)) ||
      (await bin('oxfmt', '--check', ...entry, mappings)) ||
      (await bin(
        'vitest',
        'run',
        '--reporter=dot',
        '-t',
        'seventh|no two tools|every file|goes on to the tools',
        ...SUITES,
      ));
    const codes = await Promise.all([types(), rest()]);
    return codes.every((code) => code === 0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = (await checkSeventhTool()) ? 0 : 1;
