/** A line of the doctor: subject, state and advice. Contains no secrets. */
export type Finding = { check: string; state: 'ok' | 'missing' | 'fault'; says: string; todo?: string };

export const ok = (check: string, says: string): Finding => ({ check, state: 'ok', says });
/** Not configured, or only for testing. */
export const missing = (check: string, says: string, todo: string): Finding => ({
  check,
  state: 'missing',
  says,
  todo,
});
export const fault = (check: string, says: string, todo: string): Finding => ({ check, state: 'fault', says, todo });

/** Runs a check; if it throws, returns a fault whose sentence starts with `says` and ends with the reason. */
export async function attempt(check: string, says: string, todo: string, look: () => Promise<Finding[]>) {
  try {
    return await look();
  } catch (error) {
    return [fault(check, `${says}: ${describeFailure(error)}.`, todo)];
  }
}

/** The reason of a failure in codes only: messages of libraries may contain keys, addresses and passwords. */
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

/** True for Amazon's error names, like NoSuchBucket, which are safe to show. */
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
