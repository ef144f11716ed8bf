import { expect, it } from 'vitest';
import { fillHull } from './hull.ts';

const draw = (mask: Uint8Array, width: number) =>
  Array.from({ length: mask.length / width }, (_, y) => [...mask.subarray(y * width, (y + 1) * width)].join(''));

it('fills what lies between the marked pixels', () => {
  const marks = ['0001000', '0000000', '0000000', '1000001', '0000000', '0001000'].join('');
  const filled = fillHull(Uint8Array.from(marks, Number), 7, 6);
  expect(draw(filled, 7)).toEqual(['0001000', '0011100', '0111110', '1111111', '0011100', '0001000']);
});

it('stays empty when nothing is marked and keeps a single column', () => {
  expect(fillHull(new Uint8Array(12), 4, 3)).toEqual(new Uint8Array(12));
  expect(draw(fillHull(Uint8Array.from('010000000100', Number), 4, 3), 4)).toEqual(['0100', '0100', '0100']);
});
