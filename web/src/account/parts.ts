/** Parts of the account in menu order; the first is at the area's own address. */
export const accountParts = {
  profile: 'Profile',
  security: 'Security',
  keys: 'API keys',
  webhooks: 'Webhooks',
  purchases: 'Purchases',
  data: 'Your data',
} as const;
export type AccountPart = keyof typeof accountParts;

export const ACCOUNT_PATH = '/dashboard/account';

export const isAccountPart = (part: string): part is AccountPart => Object.hasOwn(accountParts, part);

export function linkToAccount(part: AccountPart) {
  return { to: `${ACCOUNT_PATH}/{-$part}`, params: { part: part === 'profile' ? undefined : part } } as const;
}
