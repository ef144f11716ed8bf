// The first that is found names it: each browser's text also names those that it wants to be taken for.
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

/** "Firefox on Windows", from what a browser says of itself; what says nothing known is "Another program". */
export function describeBrowser(userAgent: string): string {
  const find = (table: readonly (readonly [RegExp, string])[]) => table.find(([form]) => form.test(userAgent))?.[1];
  const browser = find(BROWSERS) ?? 'Another program';
  const system = find(SYSTEMS);
  return system === undefined ? browser : `${browser} on ${system}`;
}
