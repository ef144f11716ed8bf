import { decode, encode } from '@msgpack/msgpack';

/** The two encodings of realtime frames: binary is msgpack, text is JSON. */

export type RealtimeFrame = {
  bytes: Buffer;
  isBinary: boolean;
};

// A few bytes can announce an array of any length; no skill asks for a long one.
const DECODE_LIMITS = { maxArrayLength: 1000, maxMapLength: 1000, maxExtLength: 1000 };

/** The object in a frame; undefined when there is none. */
export function decodeFrame({ bytes, isBinary }: RealtimeFrame): Record<string, unknown> | undefined {
  try {
    const value: unknown = isBinary ? decode(bytes, DECODE_LIMITS) : JSON.parse(bytes.toString('utf8'));
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined; // every kind of broken frame is the same to its sender
  }
}

export function encodeFrame(value: object, isBinary: boolean): Uint8Array | string {
  return isBinary ? encode(value, { ignoreUndefined: true }) : JSON.stringify(value);
}
