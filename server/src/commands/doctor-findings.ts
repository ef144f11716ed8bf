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

type Failure = {
  name?: string;
  code?: unknown;
  statusCode?: unknown;
  status?: unknown;
  $metadata?: { httpStatusCode?: unknown };
  cause?: unknown;
  errors?: unknown[];
  detail?: unknown;
};

/** The reason of a failure in codes only: messages of libraries may contain keys, addresses and passwords. */
function describeFailure(error: unknown): string {
  const { name, code, statusCode, status, $metadata, cause, errors, detail } = Object(error) as Failure;
  const answer = statusCode ?? status ?? $metadata?.httpStatusCode;
  if (typeof answer === 'number') return `it answered ${answer} (${name})`;
  if (typeof code === 'string' && /^[A-Z0-9_]{3,40}$/.test(code)) return code;
  const reason = cause ?? errors?.[0] ?? detail;
  return reason instanceof Error ? describeFailure(reason) : (name ?? 'an unknown fault');
}
