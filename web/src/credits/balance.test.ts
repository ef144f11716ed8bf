import { expect, test } from 'vitest';
import { addHold, confirmCredits, dropHold, shownCredits } from './balance.ts';

const twelve = { confirmed: 12, told: null, holds: [] };

test('a click is shown as spent at once, and given back when it is refused', () => {
  const held = addHold(twelve, 'a', 5);
  expect(shownCredits(held)).toBe(7);
  expect(shownCredits(dropHold(held, 'a'))).toBe(12);
});

test('the event that confirms the debit does not take the credits off a second time', () => {
  const held = addHold(twelve, 'a', 1);
  const confirmed = confirmCredits(held, 11);
  expect(shownCredits(confirmed)).toBe(11);
  expect(shownCredits(dropHold(confirmed, 'a'))).toBe(11);
});

test('an event of another page leaves a larger hold standing', () => {
  expect(shownCredits(confirmCredits(addHold(twelve, 'a', 5), 11))).toBe(6);
});

test('credits that arrive meanwhile do not release a hold', () => {
  expect(shownCredits(confirmCredits(addHold(twelve, 'a', 1), 32))).toBe(31);
});

test('the shown balance is never below zero', () => {
  expect(shownCredits(addHold({ confirmed: 0, told: null, holds: [] }, 'a', 1))).toBe(0);
});
