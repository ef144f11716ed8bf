// Part of npm run check: adds a tool to a copy of the sources, in the two places that docs/architecture.md names, and
// runs types, lint, format and the suites of every tool there. What else a tool would have to touch fails here.
import {
  cpSync,
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
import { node, root, run, tsc } from './steps.mjs';

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

export const upscale = {
  ...PICTURE_TOOL,
  title: 'Upscale',
  line: 'Twice the pixels of your photo.',
  menu: 'Upscale',
  name: 'Upscaling',
  tab: 'Upscale',
  icon: 'picture',
  cost: 1,
  mediaType: 'product_image',
  fields: { image: image({ label: 'Image', missing: 'Please upload an image', samples: ['mug'] }) },
  says: {
    ...PICTURE_SAYS,
    button: 'Upscale',
    again: 'Upscale',
    working: 'Upscaling...',
    done: 'Upscaled',
    failed: 'Failed to upscale. Try another image.',
    download: 'Download Result',
    empty: 'Your larger photo will stand here',
    start: 'Add a photo.',
  },
  file: { folder: 'upscaled', name: 'upscaled', type: 'png' },
  composes: 'nothing',
  shows: { kind: 'compare', before: 'image', after: 'Larger' },
  requirements: [IMAGE_REQUIREMENT, { says: 'Image required', met: 'all' }],
  patience: { everyMs: 2000, tries: 30 },
} as const satisfies Tool;
`;
const MAPPING = `  upscale: {
    hosted: { model: 'fal-ai/esrgan', toInput: ({ pictures }) => ({ image_url: pictures.image }), fileUrl: readImage },
  },
`;

function change(path, from, to) {
  const text = readFileSync(path, 'utf8');
  if (!text.includes(from)) throw new Error(`${path} no longer contains: ${from}`);
  writeFileSync(path, text.replace(from, to));
}

/** The sources, with the packages of the original; only our own workspaces are those of the copy. */
function copyInto(folder) {
  const isSource = (path) => !['node_modules', 'dist'].includes(basename(path));
  for (const name of [...PARTS, ...FILES])
    cpSync(join(root, name), join(folder, name), { recursive: true, filter: isSource });
  const link = (...path) => symlinkSync(join(root, ...path), join(folder, ...path));
  link('engine');
  link('server', 'node_modules');
  mkdirSync(join(folder, 'node_modules', '@plinth'), { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules')).filter((one) => one !== '@plinth' && one !== '.vite'))
    link('node_modules', name);
  for (const part of PARTS) symlinkSync(join(folder, part), join(folder, 'node_modules', '@plinth', part));
}

function addTool(folder) {
  const tools = join(folder, 'contract/src/tools.ts');
  writeFileSync(join(folder, 'contract/src/tools/upscale.ts'), ENTRY);
  change(tools, '\n\n/**', `\nimport { upscale } from './tools/upscale.ts';\n\n/**`);
  change(tools, '} as const satisfies Record<string, Tool>', '  upscale,\n} as const satisfies Record<string, Tool>');
  const mappings = join(folder, 'server/src/providers/mappings.ts');
  change(mappings, "  'image-to-video': {", `${MAPPING}  'image-to-video': {`);
  return [tools, join(folder, 'contract/src/tools/upscale.ts'), mappings];
}

/** Whether a tool is two places; what is a third one is written to the terminal. */
export async function addsSeventhTool() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'plinth-seventh-tool-')));
  try {
    copyInto(folder);
    const changed = addTool(folder);
    const inCopy = (...parameters) => run(node, parameters, { cwd: folder, isBeside: true });
    const bin = (name, ...rest) => inCopy(join(root, 'node_modules', '.bin', name), ...rest);
    const types = async () => {
      for (const part of PARTS) if ((await inCopy(tsc, '-p', part)) !== 0) return 1;
      return 0;
    };
    const rest = async () =>
      (await bin('oxlint', ...changed)) ||
      (await bin('eslint', '--max-warnings', '0', ...changed)) ||
      (await bin('oxfmt', '--check', ...changed)) ||
      (await bin(
        'vitest',
        'run',
        '--reporter=dot',
        '-t',
        'upscale|no two tools|every file|goes on to the tools',
        ...SUITES,
      ));
    const codes = await Promise.all([types(), rest()]);
    return codes.every((code) => code === 0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
