/** Numbers that belong to no single tool. The specification's section 9 and the API contract name them. */

export const MEBIBYTE = 1_048_576;

/** Largest picture file a tool accepts; one byte more is refused. */
export const IMAGE_MAX_BYTES = 12 * MEBIBYTE;
export const IMAGE_MAX_PIXELS = 64_000_000;
export const IMAGE_MIN_SIDE_PX = 16;
export const IMAGE_MAX_SIDE_PX = 16_384;

/** Side of the square that the basic video is made from, in pixels. */
export const SQUARE_SIDE_PX = 768;
/** JPEG quality (0 to 1) of that square, as the specification has it. */
export const SQUARE_JPEG_QUALITY = 0.9;

export const PROMPT_MAX_LENGTH = 2000;
/** Length of a text in code points: an emoji counts as one character, as it does for whoever typed it. */
export const countCharacters = (text: string): number => [...text].length;

export const PASSWORD_MIN_LENGTH = 6;
export const PASSWORD_MAX_LENGTH = 256;

/** Uploads and results are deleted 48 hours after they were made. */
export const MEDIA_TTL_SECONDS = 48 * 60 * 60;

/** Who has no password deletes the account within this time of a sign-in. */
export const SIGN_IN_AGAIN_SECONDS = 300;

export const JSON_MAX_BYTES = 64 * 1024;
export const WEBHOOK_MAX_BYTES = 256 * 1024;
export const MULTIPART_MAX_BYTES = 26 * MEBIBYTE;
export const MULTIPART_MAX_FILES = 2;
export const MULTIPART_MAX_PARTS = 16;
export const MULTIPART_TEXT_MAX_BYTES = 16 * 1024;
/** Marks on a picture, as JSON in one part of a form. */
export const MARKS_MAX_BYTES = 64 * 1024;
export const MARKS_MAX_DOTS = 2000;

/** A result can be redone and returned for this long after it was finished. */
export const SECOND_TRY_SECONDS = 24 * 60 * 60;
export const RETURNS_DAYS = 30;

/** How many items an archive of the history can be asked for by name: their ids stand in the address. */
export const ARCHIVE_MAX_IDS = 300;

export const PREVIEW_WIDTHS = [320, 640, 1280] as const;

export const PAGE_LIMIT_DEFAULT = 20;
export const PAGE_LIMIT_MAX = 100;

export const IDEMPOTENCY_KEY_MAX_LENGTH = 255;

export const ERROR_TOAST_MS = 5000;
export const LOGOUT_REDIRECT_MS = 1000;
export const PASSWORD_REDIRECT_MS = 1500;
export const REFRESH_RETRY_FIRST_MS = 200;

/** How many requests of a kind a person may send in how many seconds, where the operator did not scale them. */
export const requestAllowances = {
  generation: { points: 200, seconds: 60 },
  // A whole catalogue in one minute.
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
