// @vitest-environment jsdom
import { afterEach, expect, test, vi } from 'vitest';
import { clearWebStorages } from './database.ts';
import { leaveNote, takeNote } from './tab-notes.ts';

afterEach(() => vi.restoreAllMocks());

test('a note is taken once', () => {
  leaveNote('plinth-test', 'hello');
  expect(takeNote('plinth-test')).toBe('hello');
  expect(takeNote('plinth-test')).toBe(null);
});

test('clearing forgets every note', async () => {
  leaveNote('plinth-test', 'hello');
  localStorage.setItem('theirs', 'x');
  await clearWebStorages();
  expect([takeNote('plinth-test'), localStorage.length]).toEqual([null, 0]);
});

test('notes are gone where the browser forbids the other storage alone', async () => {
  leaveNote('plinth-test', 'hello');
  vi.spyOn(window, 'localStorage', 'get').mockImplementation(() => {
    throw new DOMException('denied', 'SecurityError');
  });
  await expect(clearWebStorages()).rejects.toThrow('denied');
  expect(takeNote('plinth-test')).toBe(null);
});

test('where the browser forbids it a note is lost, and only clearing says so', async () => {
  vi.spyOn(window, 'sessionStorage', 'get').mockImplementation(() => {
    throw new DOMException('denied', 'SecurityError');
  });
  leaveNote('plinth-test', 'hello');
  expect(takeNote('plinth-test')).toBe(null);
  await expect(clearWebStorages()).rejects.toThrow('denied');
});
