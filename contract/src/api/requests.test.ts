import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { MARKS_MAX_DOTS, PASSWORD_MAX_LENGTH } from '../limits.ts';
import { NAME_MAX_LENGTH } from '../names.ts';
import { RUN_MAX_ITEMS } from '../runs.ts';
import type { Tool, ToolField } from '../tool.ts';
import { toolIds, tools } from '../tools.ts';
import { WEBHOOK_URL_MAX_LENGTH } from '../webhooks.ts';
import { formOf } from './generations.ts';
import { type Operation, PAGING } from './operation.ts';
import { operationGroups } from './operations.ts';

/** Requests that the OpenAPI document allows. */

const operations: readonly Operation[] = operationGroups.flatMap((group) => group.operations);
const nameOf = ({ method, path }: Operation) => `${method.toUpperCase()} ${path}`;

const dot = [0.5, 0.5, 0.1];
const photo = (type: string) => new File(['bytes'], 'mug', { type });
const credentials = { email: 'a@example.com', password: 'secret1' };
const endpoint = { url: 'https://example.com/hook', events: ['run.finished'] };

/** For each operation with a body: a valid one, and invalid ones by name. */
const BODIES: Record<string, [good: object, bad: Record<string, object>]> = {
  'POST /purchases': [{ package: 'basic' }, { 'no package': {}, 'a package that is not sold': { package: 'huge' } }],
  'POST /sandbox/checkout/{token}': [{ action: 'pay' }, { 'no action': {}, 'another one': { action: 'refund' } }],
  'POST /auth/sign-up': [credentials, { 'no password': { email: credentials.email } }],
  'POST /auth/sign-in': [credentials, { 'a number for a password': { ...credentials, password: 123_456 } }],
  'POST /auth/password': [
    { newPassword: 'secret1', confirmPassword: 'secret1' },
    {
      'a short password': { newPassword: 'short', confirmPassword: 'short' },
      'too long a password': { newPassword: 'x'.repeat(PASSWORD_MAX_LENGTH + 1), confirmPassword: 'x' },
      'no second one': { newPassword: 'secret1' },
    },
  ],
  'POST /keys': [{ name: 'Shop' }, { 'no name': {}, 'too long a name': { name: 'x'.repeat(NAME_MAX_LENGTH + 1) } }],
  'PUT /account/billing': [
    { company: 'Mugs Ltd', vatId: 'DE123456789', address: null },
    { 'too long a company': { company: 'x'.repeat(201) }, 'a sign in the number': { vatId: 'DE-1' } },
  ],
  'DELETE /account': [{ password: 'secret1' }, { 'a number for a password': { password: 5 } }],
  'POST /generations/{id}/redo': [
    { prompt: 'a loft', marks: { keep: [dot] } },
    {
      'a number for words': { prompt: 5 },
      'marks that mark nothing': { marks: {} },
      'a dab of no size': { marks: { drop: [[0.5, 0.5, 0]] } },
      'a dab outside': { marks: { keep: [[1.2, 0.5, 0.1]] } },
      'a box inside out': { marks: { box: [0.8, 0.1, 0.2, 0.9] } },
      'too many dabs': { marks: { keep: Array.from({ length: MARKS_MAX_DOTS + 1 }, () => dot) } },
    },
  ],
  'POST /generations/{id}/return': [{ reason: 'edges' }, { 'no reason': {}, 'another one': { reason: 'bored' } }],
  'POST /checks': [{ image: photo('image/png') }, { 'no picture': {}, 'words for a picture': { image: 'mug.png' } }],
  'POST /verify': [
    { image: photo('image/png') },
    { 'no picture': {}, 'both of them': { image: photo('image/png'), video: photo('video/mp4') } },
  ],
  'POST /runs': [
    { name: 'Mugs', tool: 'text-to-image', fields: { prompt: 'a loft' }, packs: [] },
    {
      'no name': { tool: 'remover' },
      'too long a name': { name: 'x'.repeat(NAME_MAX_LENGTH + 1), tool: 'remover' },
      'a tool that there is not': { name: 'Mugs', tool: 'painter' },
      'a pack that there is not': { name: 'Mugs', tool: 'remover', packs: ['none'] },
      'a number for words': { name: 'Mugs', tool: 'remover', fields: { prompt: 5 } },
    },
  ],
  'POST /looks': [
    { name: 'Mugs', shadow: 'soft', margin: { top: 0.1 } },
    {
      'no name': { shadow: 'soft' },
      'a shadow that there is not': { name: 'Mugs', shadow: 'long' },
      'a margin that is half': { name: 'Mugs', margin: { top: 0.5 } },
    },
  ],
  'PUT /looks/{id}': [
    { name: 'Mugs', size: 500 },
    { 'no name': {}, 'too small a size': { name: 'Mugs', size: 499 } },
  ],
  'POST /runs/{id}/items': [
    { image: photo('image/jpeg'), sku: 'MUG-1', prompt: 'a loft' },
    { 'no picture': { sku: 'MUG-1' }, 'a file for an SKU': { image: photo('image/jpeg'), sku: photo('image/jpeg') } },
  ],
  'POST /runs/{id}/retry': [
    { items: ['itm_1'] },
    { 'none named': { items: [] }, 'too many': { items: Array.from({ length: RUN_MAX_ITEMS + 1 }, () => 'itm_1') } },
  ],
  'POST /webhook-endpoints': [
    endpoint,
    {
      'no event': { ...endpoint, events: [] },
      'an event that there is not': { ...endpoint, events: ['media.deleted'] },
      'no address': { ...endpoint, url: 'example' },
      'too long an address': { ...endpoint, url: `https://example.com/${'x'.repeat(WEBHOOK_URL_MAX_LENGTH)}` },
    },
  ],
  'POST /tools/{tool}/generations': [
    { image: photo('image/webp') },
    { nothing: {}, 'a document': { image: photo('application/pdf') }, 'an id of something else': { image: 'gen_1' } },
  ],
  'POST /subject': [{ image: photo('image/webp') }, { nothing: {}, 'a document': { image: photo('application/pdf') } }],
};
// It also accepts the text fields of the run's tool, so any name is allowed.
const TAKES_ANY_NAME = ['POST /runs/{id}/items'];

it('every operation with a body has examples here', () => {
  const taking = operations.filter(({ json, form }) => json !== undefined || form !== undefined);
  expect(taking.map(nameOf).toSorted()).toEqual(Object.keys(BODIES).toSorted());
});

describe.each(Object.entries(BODIES))('the body of %s', (name, [good, bad]) => {
  const operation = operations.find((one) => nameOf(one) === name);
  const shape = operation?.json ?? operation?.form ?? z.never();
  const isTaken = (body: unknown) => shape.safeParse(body).success;

  it('is accepted if valid', () => expect(isTaken(good)).toBe(true));

  it.each(Object.entries(bad))('is refused with %s', (_, body) => expect(isTaken(body)).toBe(false));

  it('is an object without unknown names', () => {
    expect([null, [], 'text', 5].filter(isTaken)).toEqual([]);
    expect(isTaken({ ...good, surprise: 'x' })).toBe(TAKES_ANY_NAME.includes(name));
  });
});

// The tool of a generation decides what a redo may change.
const coded = operations.filter(({ json, path }) => json !== undefined && path !== '/generations/{id}/redo');
const wrongBodies = coded.flatMap((operation) =>
  Object.entries(BODIES[nameOf(operation)]?.[1] ?? {}).map(([what, body]) => ({
    ...operation,
    name: nameOf(operation),
    what,
    body,
  })),
);

it.each(wrongBodies)('$name reports $what by one of its codes', ({ json, fault, codes = [], body }) => {
  const { error } = json!.safeParse(body, { error: () => fault });
  expect([...codes, fault]).toEqual(expect.arrayContaining(error!.issues.map(({ message }) => message)));
});

const FILLED: Partial<Record<ToolField['kind'], unknown>> = {
  image: photo('image/png'),
  text: 'a loft',
  model: 'mdl_1',
};

describe.each(toolIds)('the form of %s', (id) => {
  const { fields }: Pick<Tool, 'fields'> = tools[id];
  const entries = Object.entries(fields).filter(([, { kind }]) => kind in FILLED);
  const required = entries.map(([name]) => name);
  const whole = Object.fromEntries(entries.map(([name, { kind }]) => [name, FILLED[kind]]));
  const isTaken = (body: object) => formOf(tools[id]).safeParse(body).success;

  it('needs each picture, text and portrait, and nothing else', () => {
    expect(isTaken(whole)).toBe(true);
    for (const name of required) expect(isTaken({ ...whole, [name]: undefined }), name).toBe(false);
  });

  it('accepts an earlier result in place of a picture', () => {
    const pictures = required.filter((name) => fields[name]?.kind === 'image');
    for (const name of pictures) expect(isTaken({ ...whole, [name]: 'med_1' }), name).toBe(true);
  });
});

describe('a page', () => {
  const query = z.strictObject(PAGING);

  it.each([{}, { limit: 1 }, { limit: 100, cursor: 'abc' }])('may be asked for by %j', (asked) => {
    expect(query.safeParse(asked).success).toBe(true);
  });

  it.each([{ limit: 0 }, { limit: 101 }, { limit: 1.5 }, { limit: '20' }, { page: 2 }])('not by %j', (asked) => {
    expect(query.safeParse(asked).success).toBe(false);
  });
});
