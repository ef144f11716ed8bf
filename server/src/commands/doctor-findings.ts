/** One line of the doctor: what was looked at, how it stands, and what to do about it. Holds no secret. */
export type Finding = { check: string; state: 'ok' | 'missing' | 'fault'; says: string; todo?: string };

export const ok = (check: string, says: string): Finding => ({ check, state: 'ok', says });
/** Not set, or only for trying out. */
export const missing = (check: string, says: string, todo: string): Finding => ({
  check,
  state: 'missing',
  says,
  todo,
});
export const fault = (check: string, says: string, todo: string): Finding => ({ check, state: 'fault', says, todo });

/** What is found, or the fault that this could not be asked; `says` begins its sentence, and the reason ends it. */
export async function attempt(check: string, says: string, todo: string, look: () => Promise<Finding[]>) {
  try {
    return await look();
  } catch (error) {
    return [fault(check, `${says}: ${describeFailure(error)}.`, todo)];
  }
}

/** Why something could not be reached, in codes only: messages of libraries may hold keys, addresses and passwords. */
function describeFailure(error: unknown): string {
  for (const one of chain(error)) {
    const { statusCode, status, $metadata, code } = one as Record<string, unknown> & { $metadata?: unknown };
    const answered = [statusCode, status, ($metadata as { httpStatusCode?: unknown } | undefined)?.httpStatusCode];
    const answer = answered.find((value) => typeof value === 'number');
    if (answer !== undefined) return `it answered ${answer}${nameOf(one)}`;
    if (typeof code === 'string' && /^[A-Z0-9_]{3,40}$/.test(code)) return code;
  }
  return error instanceof Error ? error.name : 'an unknown fault';
}

/** Amazon's names of refusals, like NoSuchBucket, are worth saying. */
function nameOf(error: object): string {
  const { name } = error as { name?: unknown };
  return typeof name === 'string' && /^[A-Z][A-Za-z]{2,40}$/.test(name) && name !== 'Error' ? ` (${name})` : '';
}

function* chain(error: unknown): Iterable<object> {
  let next = error;
  for (let depth = 0; depth < 5 && typeof next === 'object' && next !== null; depth += 1) {
    yield next;
    const { cause, errors, detail } = next as { cause?: unknown; errors?: unknown; detail?: unknown };
    next = cause ?? (Array.isArray(errors) ? errors[0] : detail);
  }
}
