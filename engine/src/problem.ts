/** What is wrong with one field of a task; `type` is the stable key, `msg` is prose for people. */
export type ProblemEntry = {
  loc: (string | number)[];
  msg: string;
  type: string;
  /** Where no one product could be told: the box around what it may be, in shares of the picture. */
  candidate?: { box: readonly [number, number, number, number] | null };
};

/** The task cannot be done as sent; names the field. */
export class FieldProblem extends Error {
  readonly entry: ProblemEntry;

  constructor(field: string, type: string, msg: string, options: ErrorOptions & Pick<ProblemEntry, 'candidate'> = {}) {
    super(msg, options);
    this.name = 'FieldProblem';
    const { candidate } = options;
    this.entry = { loc: ['body', field], msg, type, ...(candidate && { candidate }) };
  }
}

export const UNCLEAR_PRODUCT = 'We are not sure what the product is in this photo. Show us, or try another photo.';
