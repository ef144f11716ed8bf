/** Every error of the HTTP API: code, status and sentence. Codes never change. */

const UNAVAILABLE = 'The service is temporarily unavailable. Please try again.';
const UNCLEAR = 'The request could not be understood.';
const AUTH_FAILED = 'Authentication failed';

/** `detail` is the sentence the user sees, unless the thrower passes one for a tool or field. */
export const errors = {
  malformed_request: { status: 400, detail: UNCLEAR },
  idempotency_key_required: { status: 400, detail: 'An Idempotency-Key header is required.' },
  idempotency_key_invalid: {
    status: 400,
    detail: 'The Idempotency-Key header must be 1 to 255 visible ASCII characters.',
  },
  webhook_signature_invalid: { status: 400, detail: 'Invalid signature.' },
  authentication_required: { status: 401, detail: 'Authentication required' },
  no_active_session: { status: 401, detail: 'No active session' },
  refresh_token_not_found: { status: 401, detail: 'Session expired. Please log in again.' },
  invalid_credentials: { status: 401, detail: 'Invalid email or password. Please try again.' },
  invalid_key: { status: 401, detail: 'This API key is not valid.' },
  insufficient_credits: { status: 402, detail: 'Insufficient credits. Please add more credits to continue.' },
  cross_site_request: { status: 403, detail: AUTH_FAILED },
  session_required: { status: 403, detail: 'Please sign in to do this.' },
  sign_in_again: { status: 403, detail: 'Please sign in again to do this.' },
  sign_up_disabled: { status: 403, detail: 'Please sign up with Google' },
  not_found: { status: 404, detail: 'Not found.' },
  look_not_found: { status: 404, detail: 'This look does not exist.' },
  method_not_allowed: { status: 405, detail: 'Method not allowed.' },
  request_timeout: { status: 408, detail: 'The upload took too long. Please try again.' },
  email_in_use: { status: 409, detail: AUTH_FAILED },
  idempotency_in_progress: { status: 409, detail: 'This request is already being processed.' },
  redo_not_possible: { status: 409, detail: 'This result can no longer be redone for free.' },
  return_not_possible: { status: 409, detail: 'This result can no longer be returned.' },
  too_many_looks: { status: 409, detail: 'Delete a look before you create another.' },
  run_closed: { status: 409, detail: 'This catalogue takes no more photos.' },
  too_many_endpoints: { status: 409, detail: 'Delete an endpoint before you create another.' },
  sku_in_use: { status: 409, detail: 'This SKU is already in the catalogue.' },
  too_many_keys: { status: 409, detail: 'Delete a key before you create another.' },
  not_cancelable: { status: 409, detail: 'This generation has already finished.' },
  file_too_large: { status: 413, detail: 'Image file size must be less than 12MB' },
  body_too_large: { status: 413, detail: 'The request is too large.' },
  unsupported_image_type: { status: 415, detail: 'Please select an image file (JPEG, PNG, or WebP)' },
  unsupported_content_type: { status: 415, detail: 'Unsupported content type.' },
  range_not_satisfiable: { status: 416, detail: 'Range not satisfiable.' },
  credentials_required: { status: 422, detail: 'Please enter both email and password' },
  email_invalid: { status: 422, detail: 'Please enter a valid email address' },
  password_too_short: { status: 422, detail: 'Password must be at least 6 characters long' },
  password_too_long: { status: 422, detail: 'Password must be at most 256 characters long' },
  passwords_do_not_match: { status: 422, detail: 'Passwords do not match' },
  image_required: { status: 422, detail: 'Please upload an image' },
  model_image_required: { status: 422, detail: 'Please upload a model image' },
  garment_image_required: { status: 422, detail: 'Please upload a garment image' },
  target_model_required: { status: 422, detail: 'Please provide both face image and select a target model' },
  prompt_required: { status: 422, detail: 'Please provide a scene description' },
  prompt_too_long: { status: 422, detail: 'The description must be at most 2000 characters long' },
  image_unreadable: { status: 422, detail: 'Failed to load image. Please try another file.' },
  image_read_failed: { status: 422, detail: 'Failed to read image file. Please try again.' },
  invalid_option: { status: 422, detail: 'Invalid option selected' },
  marks_invalid: { status: 422, detail: 'The marks could not be understood.' },
  subject_unavailable: { status: 503, detail: 'This server cannot look at the photo first.' },
  placement_invalid: { status: 422, detail: 'The placement could not be understood.' },
  name_required: { status: 422, detail: 'Please enter a name' },
  name_too_long: { status: 422, detail: 'The name must be at most 100 characters long' },
  tool_not_for_runs: { status: 422, detail: 'This tool cannot be used for a catalogue.' },
  unknown_pack: { status: 422, detail: 'This marketplace is not known.' },
  run_full: { status: 422, detail: 'A catalogue has at most 500 photos.' },
  url_not_allowed: { status: 422, detail: 'Use a public https address.' },
  look_invalid: { status: 422, detail: 'Some settings of this look are not valid.' },
  height_invalid: { status: 422, detail: 'A height must be between 0.1 and 1000 cm.' },
  item_field_invalid: { status: 422, detail: 'Some values of this photo are not valid.' },
  sku_invalid: { status: 422, detail: 'Use letters, digits, dots, dashes and underscores in the SKU.' },
  billing_invalid: { status: 422, detail: 'Some billing details are not valid.' },
  unknown_field: { status: 422, detail: UNCLEAR },
  invalid_package: { status: 422, detail: 'Invalid package type selected' },
  cutout_needed: { status: 422, detail: 'Remove the background first.' },
  picture_too_small: { status: 422, detail: 'The picture is too small for this marketplace.' },
  pack_not_possible: { status: 422, detail: 'Videos cannot be exported for a marketplace.' },
  idempotency_key_reused: { status: 422, detail: 'This Idempotency-Key was already used with a different request.' },
  rate_limited: { status: 429, detail: 'Too many requests. Please try again later.' },
  too_many_generations: { status: 429, detail: 'Too many generations are running. Please wait for one to finish.' },
  internal_error: { status: 500, detail: 'An unexpected error occurred. Please try again.' },
  temporarily_unavailable: { status: 503, detail: UNAVAILABLE },
  storage_full: { status: 507, detail: UNAVAILABLE },
} as const satisfies Record<string, { status: number; detail: string }>;

export type ErrorCode = keyof typeof errors;

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errors, code);
}

export type FieldError = { field: string; code: ErrorCode; detail: string };

/** Sentences of the browser's own: for outcomes without a request or without a response. */
export const sentences = {
  signInFailed: AUTH_FAILED,
  loggedIn: 'Logged in successfully',
  loggedOut: 'Logged out successfully',
  logoutFailed: 'Error during logout, please refresh the page',
  /** Signed out, but the browser's local data could not be deleted. */
  logoutIncomplete: 'An error occurred during logout',
  callbackWaiting: 'Signing you in... Please wait.',
  callbackFailed: 'Login failed or session not found.',
  callbackDone: 'Successfully signed in!',
  sessionBroken: 'Authentication error. Please try logging in again.',
  /** The session could neither be extended nor ended. */
  cleanupFailed: 'An unexpected error occurred. Please refresh the page.',
  accountDeleted: 'User account deleted',
  checkingCredits: 'Checking credits...',
  /** A free redo with other words or marks got no usable response. */
  otherSettingsFailed: 'Failed to generate image with different settings',
  downloadStarting: 'Starting download...',
  downloadStarted: 'Download started!',
  downloadMediaFailed: 'Failed to download media',
  videoPlayFailed: 'Error playing video. Please try downloading it.',
  modelsLoadFailed: 'Failed to load model images',
  mediaLoadFailed: 'Failed to load media history',
  userLoadFailed: 'Failed to load user data',
  purchaseFailed: 'Failed to process purchase',
  paymentCancelled: 'Payment cancelled.',
  /** The bank declined it; the user did not cancel. */
  paymentDeclined: 'Payment declined.',
  passwordUpdated: 'Password updated successfully',
  passwordFailed: 'Failed to update password',
} as const;
