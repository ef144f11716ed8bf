import { API_BASE, type Operation } from '@plinth/contract/api/operation';
import { operationGroups } from '@plinth/contract/api/operations';
import { listCodes } from '@plinth/contract/openapi';
import type { ErrorCode } from '@plinth/contract/errors';
import type { Problem } from '@plinth/contract/openapi';
import { expect } from 'vitest';

/** Compares responses of the running server with the OpenAPI document. */

export const operations: readonly Operation[] = operationGroups.flatMap((group) => group.operations);

/** As `GET /api/v1/media/:id`. */
export const nameOf = ({ method, path }: Pick<Operation, 'method' | 'path'>): string =>
  `${method.toUpperCase()} ${API_BASE}${path.replace(/\{(\w+)\}/g, ':$1')}`;

const byName = new Map(operations.map((operation) => [nameOf(operation), operation]));

/**
 * Checks the status, and every field of a JSON body, or the code of a refusal. Reads the response. `name` is a route's
 * name; routes outside /api/v1 are not described.
 */
export async function expectDescribed(name: string, answer: Response): Promise<void> {
  const operation = byName.get(name);
  if (operation === undefined) return expect(name).not.toMatch(/^\w+ \/api\/v1\//);
  const described = operation.answers[answer.status];
  const type = answer.headers.get('content-type')?.split(';')[0] ?? '';
  if (described?.json !== undefined && described.bytes?.includes(type) !== true) {
    const body: unknown = await answer.json();
    // The schema drops fields that it does not know.
    expect({ name, body: described.json.parse(body) }).toEqual({ name, body });
    return;
  }
  if (described === undefined) {
    const { code } = (await answer.json()) as Problem;
    expect(listCodes(operation), `${name} answered ${code}`).toContain(code);
    return;
  }
  // The body may be a clone's, which would wait for the other copy to be read.
  void answer.body?.cancel();
  if (described.bytes !== undefined) expect(described.bytes, name).toContain(type);
}

/** Checks that the route at this address declares this error code. */
export function expectCodeDescribed(url: string, code: ErrorCode): void {
  const path = new URL(url).pathname.replace(API_BASE, '');
  const here = operations.filter((one) => new RegExp(`^${one.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path));
  // A method that does not exist has no route.
  if (here.length === 0 || code === 'method_not_allowed') return;
  expect(
    here.flatMap((one) => listCodes(one)),
    path,
  ).toContain(code);
}
