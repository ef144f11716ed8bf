import { type ErrorCode, errors, type FieldError } from '@plinth/contract/errors';

type AppErrorDetails = {
  /** The tool's or field's sentence; by default the table's. */
  detail?: string | undefined;
  fields?: FieldError[] | undefined;
  retryAfterSeconds?: number;
  cause?: unknown;
};

/** An expected error. Its code, status and sentence are in the contract's table of errors. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly detail: string;
  readonly fields: FieldError[] | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, details: AppErrorDetails = {}) {
    super(code, { cause: details.cause });
    this.name = 'AppError';
    this.code = code;
    this.status = errors[code].status;
    this.detail = details.detail ?? errors[code].detail;
    this.fields = details.fields;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

/** Stops the product or a command without a bug: its message tells the operator what to do, without a stack trace. */
export class ExpectedError extends Error {}

/** An error of one field, whose code and sentence are also those of the whole answer. */
export function fieldError(field: string, code: ErrorCode, detail: string = errors[code].detail): AppError {
  return new AppError(code, { detail, fields: [{ field, code, detail }] });
}

/** Errors of several fields: the first decides code and sentence. */
export function fieldErrors(fields: [FieldError, ...FieldError[]]): AppError {
  return new AppError(fields[0].code, { detail: fields[0].detail, fields });
}
