/** What is wrong with one field of a task; `type` is the stable key, `msg` is prose for people. */
export type ProblemEntry = {
  loc: (string | number)[];
  msg: string;
  type: string;
};

/** The task cannot be done as sent; names the field. */
export class FieldProblem extends Error {
  readonly entry: ProblemEntry;

  constructor(field: string, type: string, msg: string, options?: ErrorOptions) {
    super(msg, options);
    this.name = 'FieldProblem';
    this.entry = { loc: ['body', field], msg, type };
  }
}

export const UNCLEAR_PRODUCT = 'We could not tell the product from its background. Try a photo with more contrast.';
