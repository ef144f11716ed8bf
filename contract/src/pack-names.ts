/** Pack ids in the order of `marketplaces.ts`. They are separate because few pages need the packs' figures. */
export const packIds = [
  'amazon-main',
  'amazon-more',
  'ebay',
  'etsy',
  'shopify',
  'google-merchant',
  'walmart',
  'tiktok-shop',
  'instagram-square',
  'instagram-portrait',
  'transparent-png',
  'zalando',
  'otto',
  'kaufland',
  'allegro',
  'bol',
  'vinted',
  'depop',
  'mercado-libre',
  'meta-shop',
  'pinterest',
] as const;
export type PackId = (typeof packIds)[number];
export const isPackId = (id: string): id is PackId => packIds.some((one) => one === id);

export const roles = ['MAIN', 'PT01', 'PT02', 'PT03', 'PT04', 'PT05', 'PT06', 'PT07', 'PT08', 'SWATCH'] as const;
export type Role = (typeof roles)[number];

export const packRefusals = ['cutout_needed', 'picture_too_small'] as const;
export type PackRefusal = (typeof packRefusals)[number];
