export const RUNTIME_BYTES = 14_239_897;
/** What comes over the line with the first photo, packed, in megabytes: mostly runtime and network. */
export const RUNTIME_MB = 2.8;
export const NETWORK_MB = 4.5;
export const FETCHED_MB = Math.round(RUNTIME_MB + NETWORK_MB);
