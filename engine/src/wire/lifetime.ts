/** `{"expiration_duration_seconds":N}`; absent or unreadable means our own time to live. */
export function readLifetimeMs(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  try {
    const seconds = (JSON.parse(header) as { expiration_duration_seconds?: unknown } | null)
      ?.expiration_duration_seconds;
    return typeof seconds === 'number' && seconds > 0 ? seconds * 1000 : undefined;
  } catch {
    return undefined;
  }
}
