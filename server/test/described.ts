import { API_BASE, type Operation } from '@plinth/contract/api/operation';
import { operationGroups } from '@plinth/contract/api/operations';
import { listCodes } from '@plinth/contract/openapi';
import type { ErrorCode, Problem } from '@plinth/contract/errors';
import { expect } from 'vitest';

/** Answers of the running server beside what the OpenAPI document says of them. */

export const operations: readonly Operation[] = operationGroups.flatMap((group) => group.operations);

/** As `GET /api/v1/media/:id`. */
export const nameOf = ({ method, path }: Pick<Operation, 'method' | 'path'>): string =>
  `${method.toUpperCase()} ${API_BASE}${path.replace(/\{(\w+)\}/g, ':$1')}`;

const byName = new Map(operations.map((operation) => [nameOf(operation), operation]));

/**
 * Checks the status, and of JSON every field, or the code of a refusal. Reads the answer; `name` is that of a route,
 * nothing is said of those that are not below /api/v1.
 */
export async function expectDescribed(name: string, answer: Response): Promise<void> {
  const operation = byName.get(name);
  if (operation === undefined) return expect(name).not.toMatch(/^\w+ \/api\/v1\//);
  const described = operation.answers[answer.status];
  const type = answer.headers.get('content-type')?.split(';')[0] ?? '';
  if (described?.json !== undefined && described.bytes?.includes(type) !== true) {
    const body: unknown = await answer.json();
    // Fields that the shape does not know are left out by it.
    expect({ name, body: described.json.parse(body) }).toEqual({ name, body });
    return;
  }
  if (described === undefined) {
    const { code } = (await answer.json()) as Problem;
    expect(listCodes(operation), `${name} answered ${code}`).toContain(code);
    return;
  }
  // Of a copy that would wait for the other one.
  void answer.body?.cancel();
  if (described.bytes !== undefined) expect(described.bytes, name).toContain(type);
}

/** Checks that something that is done at this address can be answered with this code. */
export function expectCodeDescribed(url: string, code: ErrorCode): void {
  const path = new URL(url).pathname.replace(API_BASE, '');
  const here = operations.filter((one) => new RegExp(`^${one.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path));
  // Nothing is done with a method that is not there.
  if (here.length === 0 || code === 'method_not_allowed') return;
  expect(
    here.flatMap((one) => listCodes(one)),
    path,
  ).toContain(code);
}
