import { expect, test } from 'vitest';
import { sayWelcome } from './site.ts';

test.each([
  [0, null],
  [1, '1 credit to start, no card'],
  [3, '3 credits to start, no card'],
  [1500, '1,500 credits to start, no card'],
])('a new account with %i credits is offered as: %s', (credits, sentence) => {
  expect(sayWelcome(credits)).toBe(sentence);
});
