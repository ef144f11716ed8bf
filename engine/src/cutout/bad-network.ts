/** A network or its card cannot be used; the message says why, for the operator. */
export class BadNetwork extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = 'BadNetwork';
  }
}
