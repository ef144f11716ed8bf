import { describe, expect, it } from 'vitest';
import { checkInput, readPlacement, unwrapPicture, type Fields } from './fields.ts';
import { findSkill, skills } from './skills.ts';

const FIELDS: Fields = {
  face: { kind: 'picture', required: true, mayBeWrapped: true },
  product: { kind: 'picture' },
};

describe('a picture field', () => {
  it('takes its address plain or wrapped where it may be wrapped', () => {
    expect(checkInput(FIELDS, { face: 'data:image/png;base64,AA==' })).toEqual([]);
    expect(checkInput(FIELDS, { face: { url: 'data:image/png;base64,AA==' } })).toEqual([]);
    expect(unwrapPicture({ kind: 'picture', mayBeWrapped: true }, { url: 'a' })).toBe('a');
  });

  it('refuses a wrapped address elsewhere, an empty one, and what is no address', () => {
    expect(checkInput(FIELDS, { face: 'a', product: { url: 'a' } })).toMatchObject([
      { loc: ['body', 'product'], type: 'string_type' },
    ]);
    expect(checkInput(FIELDS, { face: { url: '' } })).toMatchObject([{ loc: ['body', 'face'], type: 'missing' }]);
    expect(checkInput(FIELDS, { face: { url: 7 } })).toMatchObject([{ loc: ['body', 'face'], type: 'string_type' }]);
    expect(checkInput(FIELDS, { face: { address: 'a' } })).toMatchObject([
      { loc: ['body', 'face'], type: 'string_type' },
    ]);
  });
});

describe('a marks field', () => {
  it('takes marks and refuses anything else in its own words', () => {
    const fields: Fields = { marks: { kind: 'marks' } };
    expect(checkInput(fields, { marks: { box: [0.1, 0.1, 0.9, 0.9] } })).toEqual([]);
    expect(checkInput(fields, {})).toEqual([]);
    expect(checkInput(fields, { marks: { box: [0.9, 0.1, 0.1, 0.9] } })).toEqual([
      { loc: ['body', 'marks'], type: 'marks_invalid', msg: 'The marks could not be understood.' },
    ]);
  });
});

describe('a field', () => {
  const fields: Fields = {
    words: { kind: 'text', maxLength: 5, required: true },
    shape: { kind: 'choice', options: ['1:1', '16:9'] },
    count: { kind: 'whole', least: 1, most: 4 },
    fast: { kind: 'flag' },
  };
  const typeOf = (input: Record<string, unknown>) =>
    checkInput(fields, { words: 'a', ...input }).map(({ loc, type }) => `${loc[1]}: ${type}`);

  it.each([
    [{ words: 'fünf!' }],
    [{ words: '😀😀😀😀😀' }],
    [{ shape: '16:9' }],
    [{ count: 1 }],
    [{ count: 4 }],
    [{ fast: false }],
    [{ shape: null, count: undefined, fast: '' }],
    [{ nobodyKnows: { this: 'field' } }],
  ])('takes %j', (input) => {
    expect(typeOf(input)).toEqual([]);
  });

  it.each([
    [{ words: '' }, 'words: missing'],
    [{ words: null }, 'words: missing'],
    [{ words: 'longer' }, 'words: string_too_long'],
    [{ words: ['a'] }, 'words: string_type'],
    [{ shape: '7:5' }, 'shape: literal_error'],
    [{ shape: 1 }, 'shape: literal_error'],
    [{ count: 0 }, 'count: greater_than_equal'],
    [{ count: 5 }, 'count: less_than_equal'],
    [{ count: 1.5 }, 'count: int_type'],
    [{ count: '2' }, 'count: int_type'],
    [{ count: Number.NaN }, 'count: int_type'],
    [{ fast: 'true' }, 'fast: bool_type'],
  ])('refuses %j', (input, fault) => {
    expect(typeOf(input)).toEqual([fault]);
  });

  it('tells of all faults at once, in the order of the fields', () => {
    expect(typeOf({ words: 7, shape: 'x', count: -1 })).toEqual([
      'words: string_type',
      'shape: literal_error',
      'count: greater_than_equal',
    ]);
  });
});

describe('a placement', () => {
  const fields: Fields = { placement: { kind: 'placement' } };
  const faults = (placement: unknown) => checkInput(fields, { placement }).map(({ type }) => type);

  it.each([{}, { x: 0 }, { y: 1 }, { scale: 0.25 }, { rotate: -45 }, { x: 0.5, y: 0.9, scale: 4, rotate: 45 }])(
    'is taken: %j',
    (placement) => {
      expect(faults(placement)).toEqual([]);
      expect(readPlacement(placement)).toEqual(placement);
    },
  );

  it.each<unknown>([
    { x: -0.01 },
    { y: 1.01 },
    { scale: 0.2 },
    { scale: 4.1 },
    { rotate: 46 },
    { x: '0.5' },
    { x: null },
    { x: Number.NaN },
    { z: 0.5 },
    { toString: 1 },
    [[]],
    'x',
    5,
  ])('is refused: %j', (placement) => expect(faults(placement)).toEqual(['placement_invalid']));
});

describe('the table of skills', () => {
  it.each(Object.entries(skills))('%s loads its code and names a picture that it needs', async (app, skill) => {
    expect(findSkill(app)).toBe(skill);
    expect((await skill.load()).run).toBeTypeOf('function');
    const pictures = Object.values(skill.fields).filter((field) => field.kind === 'picture');
    expect(pictures.some(({ required }) => required)).toBe(true);
    expect(checkInput(skill.fields, {}).length).toBeGreaterThan(0);
  });

  it('knows nothing else, whatever an object knows by itself', () => {
    for (const app of ['', 'toString', '__proto__', 'fal-ai/bria']) expect(findSkill(app)).toBeUndefined();
  });
});
