// The first match names the browser: user agents also name the browsers that they imitate.
const BROWSERS = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bChrome\/|\bCriOS\/|\bHeadlessChrome\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const;
const SYSTEMS = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'Mac'],
  [/Linux|X11/, 'Linux'],
] as const;

/** Returns "Firefox on Windows" for a user agent; "Another program" if it is unknown. */
export function describeBrowser(userAgent: string): string {
  const find = (table: readonly (readonly [RegExp, string])[]) => table.find(([form]) => form.test(userAgent))?.[1];
  const browser = find(BROWSERS) ?? 'Another program';
  const system = find(SYSTEMS);
  return system === undefined ? browser : `${browser} on ${system}`;
}
