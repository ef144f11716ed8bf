import { describe, expect, it } from 'vitest';
import { checkInput, unwrapPicture, type Fields } from './fields.ts';

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
