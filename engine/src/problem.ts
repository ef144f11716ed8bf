/** One entry of fal's error list; `type` is the stable key, `msg` is prose for people. */
export type ProblemEntry = {
  loc: (string | number)[];
  msg: string;
  type: string;
  input?: unknown;
};

/** How a job ended, in the words of the wire: the status and body that the result request answers. */
export type Outcome = {
  status: number;
  body: Record<string, unknown>;
};

/** The request cannot be served as sent; becomes a 422 that names the field. */
export class FieldProblem extends Error {
  readonly entry: ProblemEntry;

  constructor(field: string, type: string, msg: string, options?: ErrorOptions) {
    super(msg, options);
    this.name = 'FieldProblem';
    this.entry = { loc: ['body', field], msg, type };
  }
}

export const UNCLEAR_PRODUCT = 'We could not tell the product from its background. Try a photo with more contrast.';

export function refuse(entries: ProblemEntry[]): Outcome {
  return { status: 422, body: { detail: entries } };
}

export function refuseField(field: string, type: string, msg: string): Outcome {
  return refuse([{ loc: ['body', field], msg, type }]);
}

export function platformProblem(status: number, errorType: string, detail: string): Outcome {
  return { status, body: { detail, error_type: errorType } };
}

export function timeLimitOutcome(): Outcome {
  return {
    status: 504,
    body: { detail: [{ loc: ['body'], msg: 'Generation took too long.', type: 'generation_timeout' }] },
  };
}
