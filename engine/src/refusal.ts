/** The candidate for an unclear product: its box in shares of the picture, null if nothing was found. */
export type Candidate = { box: [number, number, number, number] | null };

/** A task is refused because of its pictures or input; the message is for sellers. */
export class Refusal extends Error {
  override readonly name: string = 'Refusal';
  readonly candidate: Candidate | undefined;

  constructor(message: string, { candidate, ...options }: ErrorOptions & { candidate?: Candidate | undefined } = {}) {
    super(message, options);
    this.candidate = candidate;
  }
}
