import { existsSync, readdirSync } from 'node:fs';
import importX from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';
import { checkedRows } from './lint/checked-rows.mjs';
import { commentWidth } from './lint/comment-width.mjs';
import { onlyTransaction } from './lint/only-transaction.mjs';
import { ownTables } from './lint/own-tables.mjs';

// The table of arrows. A room may import itself and the rooms named here; contract, platform and ui are open to all.
const SHARED_ENGINE = ['engine/src/pixels', 'engine/src/cutout']; // what the start page's try-out runs in the browser
const PARTS = {
  contract: [],
  server: ['contract'],
  web: ['contract', ...SHARED_ENGINE],
  // Pictures that a browser is to paint.
  e2e: ['contract', 'server/test/encodings.ts'],
  engine: [],
};
const WITH_ENGINE = 'try'; // the only room of the browser's that may
const ROOMS = {
  platform: [],
  ui: [],
  credits: [],
  webhooks: [],
  marks: [],
  media: [],
  looks: [],
  origin: ['media'],
  packs: ['looks', 'media', 'origin'],
  providers: [],
  auth: ['credits', 'webhooks'],
  payments: ['credits'],
  generations: ['credits', 'marks', 'media', 'origin', 'packs', 'providers', 'webhooks'],
  runs: ['credits', 'looks', 'marks', 'media', 'providers', 'generations', 'packs', 'webhooks'],
  mcp: [],
  landing: ['payments', 'try'],
  try: [],
  legal: [],
  developers: [],
  status: ['generations'],
  verify: [],
  dashboard: null, // what stands around the signed-in screens, and those that join several rooms
  public: null, // writes the public pages at build and hydrates them
  account: null, // takes along or deletes what all the other rooms keep about a person
  commands: null, // like the files at the top of src: may import any file, nobody imports it
};
// Which room of the server writes a table, or reads a view (migrations/0021-views.sql). Rules: lint/own-tables.mjs.
const TABLES = {
  platform: [
    ...[
      'deletions',
      'housekeeping',
      'idempotency_keys',
      'leader',
      'migrations',
      'pgboss.job',
      'request_limits',
      'running_totals',
    ],
    ...['user_events', 'people', 'queued_generations'],
  ],
  credits: ['credit_ledger', 'user_credits', 'ledger_generations', 'ledger_purchases'],
  webhooks: ['webhook_deliveries', 'webhook_endpoints'],
  media: ['generated_media', 'installation', 'uploads', 'media_sources'],
  auth: ['api_keys', 'identities', 'sessions', 'sign_in_states', 'users'],
  payments: [
    ...['billing_details', 'purchase_reversals', 'purchases', 'receipt_series', 'receipts', 'webhook_events', 'buyers'],
  ],
  generations: ['generations', 'refused_choices', 'return_counts', 'items_with_packs'],
  runs: ['run_items', 'runs'],
  looks: ['looks'],
  origin: ['signing_certificates'],
};
const TABLE_OWNERS = Object.fromEntries(
  Object.entries(TABLES).flatMap(([room, tables]) => tables.map((table) => [table, room])),
);
// The engine's: from pixels to whole pictures, then to the program that serves them.
const PICTURE_ROOMS = ['pixels', 'words', 'cutout', 'people', 'dress', 'scenes', 'video'];
const ENGINE_ROOMS = {
  pixels: [],
  words: ['pixels'],
  cutout: ['pixels'],
  people: ['pixels', 'cutout'],
  dress: ['pixels', 'cutout', 'people'],
  scenes: ['pixels', 'words', 'cutout'],
  video: ['pixels', 'words', 'cutout', 'scenes'],
  skills: PICTURE_ROOMS,
  pool: [...PICTURE_ROOMS, 'skills'],
  wire: [...PICTURE_ROOMS, 'skills', 'pool'],
};
// What the server's platform is made of: files that know nothing of each other's shelf, and three shelves.
const SHELVES = { data: [], machine: ['data'], http: ['data', 'machine'] };
// What large rooms of the browser are divided into: files at the room's top know no part of it, but for its screen.
const WEB_PARTS = {
  generations: { form: [], tries: ['form'], stage: ['form', 'tries'], tray: [] },
  runs: { upload: [], new: ['upload'], list: [], working: ['list', 'upload'] },
};
// Files at the top of the engine that know no room and may be imported by all.
const ENGINE_OPEN_FILES = ['clock.ts', 'log.ts', 'once.ts', 'refusal.ts'];
const OPEN_ROOMS = ['platform', 'ui'];
// A room's doors: the only files that another room may import.
const DOORS = {
  server: {
    credits: ['ledger.ts'],
    media: [
      'decoding.ts',
      'deletion.ts',
      'form.ts',
      'form-queue.ts',
      'library.ts',
      'mp4.ts',
      'png.ts',
      'results.ts',
      'sending.ts',
      'uploads.ts',
    ],
    looks: ['looks.ts'],
    origin: ['labels.ts', 'sign.ts'],
    packs: ['packs.ts', 'arrange.ts'],
    webhooks: ['endpoints.ts', 'outbox.ts'],
    providers: ['mappings.ts', 'provider.ts'],
    generations: [
      'accept.ts',
      'cancel.ts',
      'check-form.ts',
      'generation-view.ts',
      'headshot-models.ts',
      'refused-choices.ts',
    ],
  },
  web: {
    credits: ['useCredits.ts'],
    generations: ['drafts.ts', 'form/WordsField.tsx', 'useTools.ts'],
    marks: ['MarkEditor.tsx', 'marks.ts'],
    payments: ['PackageCards.tsx'],
    media: ['download.ts', 'media-queries.ts', 'MoreMenu.tsx', 'viewer-path.ts'],
    looks: ['LookEditor.tsx', 'LookSelect.tsx', 'useLooks.ts'],
    packs: ['ExportButton.tsx'],
    try: ['TrySection.tsx'],
  },
};

const here = (path) => new URL(path, import.meta.url);
const folders = (path) =>
  existsSync(here(path))
    ? readdirSync(here(path), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map((entry) => entry.name)
    : [];

function partZones() {
  return Object.entries(PARTS).map(([part, allowed]) => ({
    target: `./${part}`,
    from: './',
    except: [`./${part}`, './node_modules', './package.json', ...allowed.map((other) => `./${other}`)],
    message: `${part} may import only itself${allowed.length > 0 ? ` and ${allowed.join(', ')}` : ''}`,
  }));
}

function arrowZones(place, table, open) {
  const rooms = folders(place);
  const unknown = rooms.filter((room) => !Object.hasOwn(table, room));
  if (unknown.length > 0) throw new Error(`${place}/${unknown[0]} is not in the table of arrows (eslint.config.js)`);
  return rooms
    .filter((room) => table[room] !== null)
    .map((room) => ({
      target: `./${place}/${room}`,
      from: `./${place}`,
      except: [...new Set([room, ...open, ...table[room]])].map((other) => `./${other}`),
      message: `the room ${room} may import ${table[room].join(', ') || 'no other room'} (table of arrows)`,
    }));
}

function roomZones(part) {
  const rooms = folders(`${part}/src`);
  const zones = arrowZones(`${part}/src`, ROOMS, OPEN_ROOMS);
  zones.push({
    target: rooms.filter((room) => room !== WITH_ENGINE).map((room) => `./${part}/src/${room}`),
    from: './engine',
    message: `only the room ${WITH_ENGINE} works with the engine's own code`,
  });
  for (const room of rooms) {
    if (OPEN_ROOMS.includes(room)) continue;
    const others = rooms.filter((other) => other !== room && ROOMS[other] !== null);
    if (others.length === 0) continue;
    zones.push({
      target: others.map((other) => `./${part}/src/${other}`),
      from: `./${part}/src/${room}`,
      except: (DOORS[part]?.[room] ?? []).map((door) => `./${door}`),
      message: `the room ${room} is entered by its door only`,
    });
  }
  return zones;
}

/** Files that a whole part of the sources may import, so that they import nothing of it but each other. */
const openFileZone = (place, files) => ({
  target: files.map((file) => `./${place}/${file}`),
  from: `./${place}`,
  except: files.map((file) => `./${file}`),
  message: 'what every room may import knows no room',
});

const PLATFORM = 'server/src/platform';
const openPlatformFiles = readdirSync(here(PLATFORM)).filter((name) => name.endsWith('.ts'));
const platformZones = [...arrowZones(PLATFORM, SHELVES, openPlatformFiles), openFileZone(PLATFORM, openPlatformFiles)];

const webZones = Object.entries(WEB_PARTS).flatMap(([room, parts]) => {
  const place = `web/src/${room}`;
  const open = readdirSync(here(place)).filter((name) => /\.(ts|css)$/.test(name));
  return [...arrowZones(place, parts, open), openFileZone(place, open)];
});

const engineZones = [
  ...arrowZones('engine/src', ENGINE_ROOMS, ENGINE_OPEN_FILES),
  openFileZone('engine/src', ENGINE_OPEN_FILES),
];

// Tool ids, as the files are called: comparing with one of them is an exception that belongs in the tool's entry.
const toolIds = readdirSync(here('contract/src/tools')).map((file) => file.replace(/\.ts$/, ''));
const comparesToolId = {
  selector: `BinaryExpression[operator=/^[!=]==?$/] > Literal[value=/^(${toolIds.join('|')})$/]`,
  message: 'An exception of a tool is a field of its entry in contract/src/tools/, never a comparison with its id.',
};
const readsEnvironment = {
  selector: "MemberExpression[object.name='process'][property.name='env']",
  message: 'Only config.ts reads the environment.',
};
const readsClock = {
  selector:
    "CallExpression[callee.object.name='Date'][callee.property.name='now'], NewExpression[callee.name='Date'][arguments.length=0]",
  message: 'Only clock.ts reads the time; take a Clock.',
};
const hasDefaultExport = { selector: 'ExportDefaultDeclaration', message: 'Named exports only.' };
const isBarrel = {
  selector: 'ExportAllDeclaration, ExportNamedDeclaration[source]',
  message: 'No barrels: import the file itself.',
};
const isInterface = {
  selector: ':not(TSModuleBlock) > TSInterfaceDeclaration',
  message: 'A type; interfaces only add to those of a library.',
};
const fetchesApi = ['Literal[value=/^.api/]', 'TemplateLiteral[quasis.0.value.raw=/^.api/]'].map((address) => ({
  selector: `CallExpression[callee.name='fetch'] > ${address}`,
  message: 'Only platform/api.ts asks the server; files of the build may be fetched as they are.',
}));
const REFUSED = [comparesToolId, readsEnvironment, readsClock, hasDefaultExport, isBarrel, isInterface, ...fetchesApi];
const refuseAllBut = (...allowed) => ['error', ...REFUSED.filter((one) => !allowed.includes(one))];

const SCRIPT_GLOBALS = [
  'process',
  'console',
  'Buffer',
  'URL',
  'AbortController',
  'setTimeout',
  'clearTimeout',
  'performance',
  'fetch',
  'FormData',
  'Blob',
];
const ROWS = 'server/src/platform/data/tables.d.ts';
const TESTS = ['**/*.test.{ts,tsx}', '**/test/**', 'e2e/**', 'bench/**', 'engine/quality/**', 'server/chaos/**'];

export default tseslint.config(
  { ignores: ['**/node_modules', '**/dist', 'data', '**/shots', 'engine/sheet', 'e2e/test-results', 'mutation/.tmp'] },
  {
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    plugins: {
      plinth: {
        rules: {
          'checked-rows': checkedRows,
          'comment-width': commentWidth,
          'only-transaction': onlyTransaction,
          'own-tables': ownTables,
        },
      },
    },
    rules: { 'plinth/comment-width': 'error' },
  },
  {
    // No types are checked here: a name that nobody declared would be found by whoever runs into it.
    files: ['**/*.mjs'],
    languageOptions: { globals: Object.fromEntries(SCRIPT_GLOBALS.map((name) => [name, 'readonly'])) },
    rules: { 'no-undef': 'error', 'no-unused-vars': 'error' },
  },
  {
    // Rules of the language, those that need types too, are oxlint's: see .oxlintrc.json.
    files: ['**/*.{ts,tsx}'],
    languageOptions: { parser: tseslint.parser },
    plugins: { 'import-x': importX },
    settings: { 'import-x/resolver-next': [importX.createNodeResolver({ extensions: ['.ts', '.tsx', '.js'] })] },
    rules: {
      'import-x/no-restricted-paths': [
        'error',
        {
          basePath: import.meta.dirname,
          zones: [
            ...partZones(),
            ...roomZones('server'),
            ...roomZones('web'),
            ...platformZones,
            ...webZones,
            ...engineZones,
          ],
        },
      ],
      'no-restricted-syntax': refuseAllBut(),
    },
  },
  {
    files: ['server/src/**/*.ts'],
    ignores: TESTS,
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      'plinth/checked-rows': 'error',
      'plinth/only-transaction': 'error',
      'plinth/own-tables': ['error', { owners: TABLE_OWNERS, rooms: ROOMS, open: OPEN_ROOMS }],
    },
  },
  {
    files: ['server/src/config.ts', 'engine/src/config.ts'],
    rules: { 'no-restricted-syntax': refuseAllBut(readsEnvironment) },
  },
  {
    // Writes there what a library reads when it is loaded.
    files: ['engine/src/cutout/network-file.ts'],
    rules: { 'no-restricted-syntax': refuseAllBut(readsEnvironment) },
  },
  {
    files: ['server/src/platform/clock.ts', 'engine/src/clock.ts'],
    rules: { 'no-restricted-syntax': refuseAllBut(readsClock) },
  },
  {
    files: ['web/src/**/*.{ts,tsx}'],
    rules: { 'no-restricted-syntax': refuseAllBut(readsClock) },
  },
  {
    files: TESTS,
    rules: { 'no-restricted-syntax': ['error', isBarrel, isInterface] },
  },
  {
    files: [ROWS],
    rules: { 'no-restricted-syntax': 'off' },
  },
  {
    files: ['**/*.config.{ts,js}', '**/vitest.config.ts', 'bench/**', 'engine/quality/**'],
    rules: { 'no-restricted-syntax': 'off' },
  },
);
