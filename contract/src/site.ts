/** Defaults of the operator's texts on public pages; null shows nothing. */
export const siteDefaults = {
  contactEmail: 'support@plinth.example',
  // A reserved domain (RFC 2606).
  socialUrl: 'https://social.example/@plinth',
  productsShown: '12,380',
  testimonialQuote: 'A good product should not lose the sale to a bad photo. That is the whole reason this exists.',
  testimonialBy: 'From the people who make Plinth',
  testimonialUrl: null,
  sellerName: null,
  sellerAddress: null,
  welcome: null,
} as const satisfies Record<string, string | null>;

export type SiteWord = keyof typeof siteDefaults;
export type Site = Record<SiteWord, string | null>;

export const isSiteWord = (name: string): name is SiteWord => Object.hasOwn(siteDefaults, name);

/** Returns for example "3 credits to start, no card"; null for 0 credits. */
export function sayWelcome(signUpCredits: number): string | null {
  if (signUpCredits === 0) return null;
  const count = new Intl.NumberFormat('en-US').format(signUpCredits);
  return `${count} ${signUpCredits === 1 ? 'credit' : 'credits'} to start, no card`;
}
