import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { MEBIBYTE, MULTIPART_MAX_BYTES } from '@plinth/contract/limits';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { readConfig, settings } from '../src/config.ts';
import { writeGauges } from '../src/gauges.ts';
import { makeMetrics } from '../src/platform/metrics.ts';
import { makeDatabase } from './database.ts';

const OPS = resolve(import.meta.dirname, '..', '..', 'ops');
const read = (...path: string[]) => readFileSync(join(OPS, ...path), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'plinth-ops-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const rulesSchema = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: z.string(),
      rules: z.array(
        z.strictObject({
          alert: z.string().regex(/^Plinth[A-Za-z]+$/),
          expr: z.string(),
          for: z
            .string()
            .regex(/^\d+[smh]$/)
            .optional(),
          labels: z.strictObject({ severity: z.enum(['page', 'ticket']) }),
          annotations: z.strictObject({ summary: z.string(), runbook: z.string() }),
        }),
      ),
    }),
  ),
});
const boardSchema = z.object({
  title: z.string(),
  schemaVersion: z.number(),
  panels: z.array(
    z.object({
      id: z.number(),
      title: z.string(),
      targets: z.array(z.object({ refId: z.string(), expr: z.string() })),
    }),
  ),
});
const composeSchema = z.object({
  services: z.record(
    z.string(),
    z.object({
      image: z.string(),
      environment: z.record(z.string(), z.union([z.string(), z.null()])).optional(),
      volumes: z.array(z.string()).optional(),
      read_only: z.boolean().optional(),
    }),
  ),
  volumes: z.record(z.string(), z.null()),
});

const rules = rulesSchema.parse(parse(read('prometheus', 'plinth.rules.yaml'))).groups.flatMap((group) => group.rules);
const board = boardSchema.parse(JSON.parse(read('grafana', 'plinth.json')));
const compose = composeSchema.parse(parse(read('compose.yaml'), { merge: true }));

/** Every series name of /metrics; a histogram has three. */
async function listMetricNames(): Promise<Set<string>> {
  const database = await makeDatabase();
  const text = `${await makeMetrics().registry.metrics()}\n${await writeGauges(database.db)}`;
  await database.drop();
  const names = [...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name ?? '');
  return new Set(['up', ...names.flatMap((name) => [name, `${name}_bucket`, `${name}_count`, `${name}_sum`])]);
}

/** The series names in an expression, without functions, labels, keywords and strings. */
function listSeries(expr: string): string[] {
  const bare = expr
    .replace(/"[^"]*"/g, '')
    .replace(/\{[^}]*\}/g, '')
    .replace(/\b(by|without) \([^)]*\)/g, '');
  return [...bare.matchAll(/[a-z_][a-z0-9_]*(?!\w*\s*\()/g)]
    .map(([name]) => name)
    .filter((name) => !/^(\d+[smh]|[smh]|e\d+)$/.test(name));
}

describe('what watches', () => {
  const exprs = [
    ...rules.map(({ expr }) => expr),
    ...board.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ];

  let known: Set<string>;
  beforeAll(async () => {
    known = await listMetricNames();
  });

  it.each(exprs)('%s names only what /metrics has', (expr) => {
    const series = listSeries(expr);
    expect(series).not.toEqual([]);
    expect(series.filter((name) => !known.has(name))).toEqual([]);
  });

  it('rings for everything that the operating page says to alarm on', () => {
    const page = readFileSync(join(OPS, '..', 'docs', 'operating.md'), 'utf8');
    const [sentence = ''] = /Alarm\s+on\s[^.]*\./.exec(page) ?? [];
    const named = [...sentence.matchAll(/`([a-z_]+)/g)].map(([, name]) => name);
    expect(named.length).toBeGreaterThan(3);
    const rung = new Set(rules.flatMap(({ expr }) => listSeries(expr)));
    expect(named.filter((name = '') => !rung.has(name))).toEqual([]);
  });

  it('has a runbook of one page for each alarm, and no other', () => {
    const named = [...new Set(rules.map(({ annotations }) => annotations.runbook))].sort();
    expect(named).toEqual(
      readdirSync(join(OPS, 'runbooks'))
        .map((name) => `runbooks/${name}`)
        .sort(),
    );
    for (const path of named) {
      const text = read(path);
      expect(text).toMatch(/\*\*What to do\.\*\*/);
      expect(text.split('\n').length).toBeLessThan(60);
      for (const [, link] of text.matchAll(/\]\((\w+\.md)\)/g)) expect(named).toContain(`runbooks/${link}`);
    }
  });
});

describe('the container', () => {
  const dockerfile = read('Dockerfile');

  it('runs what npm start runs', () => {
    const start = readFileSync(join(OPS, '..', 'scripts', 'start.mjs'), 'utf8');
    const parameters = [...start.matchAll(/'(--[^']+|server\/[^']+)'/g)].map(([, parameter]) => parameter);
    expect(parameters).toContain('server/src/main.ts');
    const bench = readFileSync(join(OPS, '..', 'bench', 'product.ts'), 'utf8');
    for (const flag of parameters.filter((one) => one?.includes('='))) {
      if (!flag?.startsWith('--disable-warning')) expect(bench).toContain(`'${flag}'`);
    }
    expect(/^CMD (\[.*\])$/m.exec(dockerfile)?.[1]).toBe(JSON.stringify(['node', ...parameters]).replaceAll(',', ', '));
  });

  it('sets only what the product knows, and writes where a volume is', () => {
    const known = new Set(Object.keys(settings));
    for (const service of ['web', 'worker']) {
      const { environment = {}, volumes = [], read_only: isReadOnly } = compose.services[service] ?? {};
      expect(Object.keys(environment).filter((name) => !known.has(name))).toEqual([]);
      expect(volumes).toEqual([`${service}-data:/data`]);
      expect(isReadOnly).toBe(true);
    }
    const used = Object.values(compose.services).flatMap(({ volumes = [] }) =>
      volumes.map((one) => one.split(':')[0] ?? ''),
    );
    expect(used.filter((name) => !name.startsWith('.')).sort()).toEqual(Object.keys(compose.volumes).sort());
  });

  it('is heard from outside and writes to its volume, whatever the copied .env.example says of one machine', () => {
    const example = parseEnv(readFileSync(join(OPS, '..', '.env.example'), 'utf8'));
    const own = { PUBLIC_ORIGIN: 'https://shop.example', PAYMENTS: 'sandbox', ALLOW_SANDBOX: '1' };
    const secret = { SANDBOX_WEBHOOK_SECRET: 'whsec_dGhpcyBpcyBhIHNlY3JldCBvZiBhIHRlc3Q=' };
    for (const service of ['web', 'worker']) {
      const set = Object.entries(compose.services[service]?.environment ?? {});
      const environment = Object.fromEntries(set.map(([name, value]) => [name, value?.replace(/\$\{[^}]*\}/g, 'x')]));
      const { HOST, PORT, DATA_DIR, isProduction } = readConfig({ ...example, ...own, ...secret, ...environment });
      expect({ HOST, DATA_DIR, isProduction }).toEqual({ HOST: '0.0.0.0', DATA_DIR: '/data', isProduction: true });
      expect(compose.services['proxy']?.environment?.['PLINTH_WEB']).toBe(`web:${PORT}`);
    }
  });

  it('is nobody special, has a health check, and copies only what is there', () => {
    const last = dockerfile.slice(dockerfile.lastIndexOf('FROM '));
    expect(last).toMatch(/^USER node$/m);
    expect(last).toMatch(/^HEALTHCHECK .*\/healthz/m);
    const program = /^CMD \["node", "[^"]+", "([^"]+)"\]$/m.exec(last)?.[1] ?? '';
    expect(existsSync(join(OPS, '..', program))).toBe(true);
    expect(dockerfile).not.toMatch(/SECRET|PASSWORD|_KEY/);
  });

  it('has the commands of the operator where the compose file says', () => {
    const [, program = ''] = /exec worker node (\S+) COMMAND/.exec(read('compose.yaml')) ?? [];
    expect(existsSync(join(OPS, '..', program))).toBe(true);
  });
});

describe('a proxy of the examples', () => {
  const units: Record<string, number> = { m: MEBIBYTE, MB: 1_000_000, MiB: MEBIBYTE };
  it.each([
    ['nginx', 'plinth.conf', /client_max_body_size (\d+)(\w+);/],
    ['caddy', 'Caddyfile', /max_size (\d+)(\w+)/],
  ])('%s lets the largest form through', (folder, file, form) => {
    const [, size, unit = ''] = form.exec(read(folder, file)) ?? [];
    expect(Number(size) * (units[unit] ?? NaN)).toBeGreaterThan(MULTIPART_MAX_BYTES);
  });
});

const has = (program: string) => spawnSync(program, ['-v']).error === undefined;

it.each([
  ['nginx', 'plinth.conf', /keepalive_timeout (\d+)s;/],
  ['caddy', 'Caddyfile', /keepalive (\d+)s/],
])('%s lets go of an idle line before the server does', (folder, name, pattern) => {
  const server = /keepAliveTimeout: (\d+)_000/.exec(
    readFileSync(join(import.meta.dirname, '..', 'src', 'platform', 'http', 'http.ts'), 'utf8'),
  );
  expect(Number(pattern.exec(read(folder, name))?.[1])).toBeLessThan(Number(server?.[1]));
});

describe.runIf(has('nginx'))('nginx', () => {
  it('takes the example', () => {
    const key = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=shop.example', '-days', '1'];
    const files = ['-keyout', join(folder, 'shop.example.key'), '-out', join(folder, 'shop.example.pem')];
    expect(spawnSync('openssl', [...key, ...files]).status).toBe(0);
    const site = read('nginx', 'plinth.conf').replace(/\/etc\/ssl\/(certs|private)/g, folder);
    mkdirSync(join(folder, 'logs'), { recursive: true });
    const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    );
    const http = `access_log off; ${places.join(' ')} ${site}`;
    const main = `pid ${folder}/nginx.pid; error_log ${folder}/error.log; events {} http { ${http} }`;
    writeFileSync(join(folder, 'nginx.conf'), main);
    const { status, stderr } = spawnSync('nginx', ['-t', '-p', folder, '-c', join(folder, 'nginx.conf')], {
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, expect.stringContaining('test is successful')]);
  });
});

describe('a service', () => {
  const units = readdirSync(join(OPS, 'systemd')).filter((name) => /^plinth@?\.service$/.test(name));
  const linesOf = (name: string) => read('systemd', name).split('[Service]\n')[1]?.split('\n') ?? [];

  it('has the same walls in one role as in all', () => {
    const [all = [], one = []] = units.map(linesOf);
    expect(units).toHaveLength(2);
    expect(all.length).toBeGreaterThan(20);
    expect(one.filter((line) => !line.startsWith('Environment='))).toEqual(all);
  });

  it.each(units)('%s takes npm from where systemd finds it: an unpacked Node lies in /usr/local', (name) => {
    expect(linesOf(name)).toContain('ExecStart=npm start');
  });
});

describe.runIf(has('systemd-analyze'))('systemd', () => {
  it.each(readdirSync(join(OPS, 'systemd')))('takes %s', (name) => {
    cpSync(join(OPS, 'systemd'), folder, { recursive: true });
    const unit = join(folder, name.replace('@.', '@web.'));
    cpSync(join(OPS, 'systemd', name), unit);
    const { stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', unit], { encoding: 'utf8' });
    // Programs and other units of the machine are not checked.
    const faults = stderr
      .split('\n')
      .filter((line) => line.includes('plinth') && !/is not executable|not found/.test(line));
    expect(faults).toEqual([]);
  });
});
