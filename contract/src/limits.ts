/** Limits that belong to no single tool. Section 9 of the specification and the API contract define them. */

export const MEBIBYTE = 1_048_576;

/** Largest picture file that a tool accepts. */
export const IMAGE_MAX_BYTES = 12 * MEBIBYTE;
export const IMAGE_MAX_PIXELS = 64_000_000;
export const IMAGE_MIN_SIDE_PX = 16;
export const IMAGE_MAX_SIDE_PX = 16_384;

/** Side of the square input picture of the basic video. */
export const SQUARE_SIDE_PX = 768;
/** JPEG quality (0 to 1) of that square, given by the specification. */
export const SQUARE_JPEG_QUALITY = 0.9;

export const PROMPT_MAX_LENGTH = 2000;
/** Returns a text's length in code points, so that an emoji of one code point counts as one character. */
export const countCharacters = (text: string): number => [...text].length;

export const PASSWORD_MIN_LENGTH = 6;
export const PASSWORD_MAX_LENGTH = 256;

/** Uploads and results are deleted 48 hours after their creation. */
export const MEDIA_TTL_SECONDS = 48 * 60 * 60;

/** A user without a password must have signed in within this time to delete the account. */
export const SIGN_IN_AGAIN_SECONDS = 300;

export const JSON_MAX_BYTES = 64 * 1024;
export const WEBHOOK_MAX_BYTES = 256 * 1024;
export const MULTIPART_MAX_BYTES = 26 * MEBIBYTE;
export const MULTIPART_MAX_FILES = 2;
export const MULTIPART_MAX_PARTS = 16;
export const MULTIPART_TEXT_MAX_BYTES = 16 * 1024;
/** Marks on a picture, sent as JSON in one form part. */
export const MARKS_MAX_BYTES = 64 * 1024;
export const MARKS_MAX_DOTS = 2000;

/** How long after it finished a result can be redone or returned. */
export const SECOND_TRY_SECONDS = 24 * 60 * 60;
export const RETURNS_DAYS = 30;

/** Maximum number of ids in an archive request. The URL contains them. */
export const ARCHIVE_MAX_IDS = 300;

export const PREVIEW_WIDTHS = [320, 640, 1280] as const;

export const PAGE_LIMIT_DEFAULT = 20;
export const PAGE_LIMIT_MAX = 100;

export const IDEMPOTENCY_KEY_MAX_LENGTH = 255;

export const ERROR_TOAST_MS = 5000;
export const LOGOUT_REDIRECT_MS = 1000;
export const PASSWORD_REDIRECT_MS = 1500;
export const REFRESH_RETRY_FIRST_MS = 200;

/** Rate limits per user: `points` requests in `seconds`, before any scaling by the operator. */
export const rateLimits = {
  generation: { points: 200, seconds: 60 },
  // Enough for a whole catalogue within a minute.
  runItem: { points: 1000, seconds: 60 },
  run: { points: 60, seconds: 60 },
  check: { points: 60, seconds: 60 },
  pack: { points: 600, seconds: 60 },
  look: { points: 120, seconds: 60 },
  archive: { points: 30, seconds: 600 },
  agent: { points: 600, seconds: 60 },
  webhookEndpoint: { points: 60, seconds: 600 },
  webhookTest: { points: 60, seconds: 600 },
} as const;
