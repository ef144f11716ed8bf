/** What is wrong with one field of a task: `type` is a stable key, `message` is for people. */
export type Problem = {
  field: string;
  type: string;
  message: string;
  /** Set if the product is unclear: the candidate's box in shares of the picture. */
  candidate?: { box: readonly [number, number, number, number] | null };
};

/** A task is refused because of one field. */
export class FieldProblem extends Error {
  override readonly name = 'FieldProblem';
  readonly problem: Problem;

  constructor(field: string, type: string, message: string, options: ErrorOptions & Pick<Problem, 'candidate'> = {}) {
    super(message, options);
    const { candidate } = options;
    this.problem = { field, type, message, ...(candidate && { candidate }) };
  }
}

export const UNCLEAR_PRODUCT = 'We are not sure what the product is in this photo. Show us, or try another photo.';
