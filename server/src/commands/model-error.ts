/** A network was not installed; the message says why, for the operator. */
export class ModelError extends Error {}
