import { MB, moreMarketplaces, NO_TEXT, onWhite, READ_LATER, SENTENCE, square } from './more-marketplaces.ts';
import type { Marketplace } from './packs.ts';

/**
 * What each marketplace wants: sizes in pixels, files in bytes, shares from 0 to 1. To follow a change of its rules,
 * change figure, source and date here; a new one also needs its id in `pack-names.ts`, at the same place. A source is
 * the marketplace's own page unless it says "guides"; what no page says is named as our own.
 */

const MEGAPIXEL = 1_000_000;
const FIVE_GUIDES = 'Five guides of 2025 and 2026 that quote Seller Central';
const READ_ON = '2026-11-22';

export const marketplaces = {
  'amazon-main': {
    name: 'Amazon, main picture',
    needs: 'cutout',
    picture: onWhite(2000, 2000, 0.9, 10),
    least: square(500),
    names: '{asin}.{role}',
    roles: ['MAIN'],
    rules: [
      { id: 'background-white', level: 'must' },
      { id: 'fills-frame', level: 'must', least: 0.85 },
      { id: 'size-min', level: 'must', side: 'longer', pixels: 500 },
      { id: 'size-max', level: 'must', side: 'longer', pixels: 10_000 },
      { id: 'whole-product', level: 'must', within: 'frame' },
      { id: 'file-type', level: 'must', types: ['JPEG', 'PNG', 'TIFF', 'GIF'] },
      { id: 'size-min', level: 'advice', side: 'longer', pixels: 1600 },
      { id: 'square', level: 'advice' },
      { id: 'one-product', level: 'advice' },
      NO_TEXT,
    ],
    source: FIVE_GUIDES,
    asOf: READ_ON,
  },
  'amazon-more': {
    name: 'Amazon, additional picture',
    needs: 'picture',
    picture: onWhite(2000, 2000, 0.9, 10),
    least: square(500),
    names: '{asin}.{role}',
    roles: ['PT01', 'PT02', 'PT03', 'PT04', 'PT05', 'PT06', 'PT07', 'PT08', 'SWATCH'],
    rules: [
      { id: 'size-min', level: 'must', side: 'longer', pixels: 500 },
      { id: 'size-max', level: 'must', side: 'longer', pixels: 10_000 },
      { id: 'size-min', level: 'advice', side: 'longer', pixels: 1600 },
    ],
    source: FIVE_GUIDES,
    asOf: READ_ON,
  },
  ebay: {
    name: 'eBay',
    needs: 'picture',
    picture: onWhite(1600, 1600, 0.9, 12),
    least: square(500),
    names: '{sku}-ebay-{n}',
    rules: [
      { id: 'size-min', level: 'must', side: 'longer', pixels: 500 },
      { id: 'no-border', level: 'must' },
      { id: 'bytes', level: 'must', most: 12 * MB },
      { id: 'size-min', level: 'advice', side: 'longer', pixels: 1600 },
      NO_TEXT,
    ],
    source: 'ebay.com, picture policy; guides for 1600 pixels and 12 MB',
    asOf: READ_ON,
  },
  etsy: {
    name: 'Etsy',
    needs: 'picture',
    picture: onWhite(2000, 2000, 0.8, 10),
    names: '{n}-{sku}-etsy',
    rules: [
      { id: 'size-min', level: 'advice', side: 'shorter', pixels: 2000 },
      { id: 'whole-product', level: 'advice', within: 'square' },
      { id: 'ai-allowed', level: 'must' },
      SENTENCE,
    ],
    source:
      'etsy.com/legal/policy/listing-image-requirements (the thing itself); guides of 2025 and 2026 for the sizes',
    asOf: READ_LATER,
  },
  shopify: {
    name: 'Shopify',
    needs: 'picture',
    picture: onWhite(2048, 2048, 0.85, 20),
    names: '{handle}-{n}',
    rules: [
      { id: 'bytes', level: 'must', most: 20 * MB },
      { id: 'size-max', level: 'must', side: 'area', pixels: 25 * MEGAPIXEL },
      { id: 'size-min', level: 'advice', side: 'shorter', pixels: 2048 },
      { id: 'square', level: 'advice' },
    ],
    source: 'Guides of 2025 and 2026 for Shopify shops',
    asOf: READ_ON,
  },
  'google-merchant': {
    name: 'Google Merchant Center',
    needs: 'picture',
    picture: onWhite(1500, 1500, 0.85, 16),
    least: square(500),
    names: '{sku}-google-{n}',
    rules: [
      { id: 'size-max', level: 'must', side: 'area', pixels: 64 * MEGAPIXEL },
      { id: 'bytes', level: 'must', most: 16 * MB },
      // Refused from 31 January 2027; until then 100 x 100, clothes 250 x 250.
      { id: 'size-min', level: 'must', side: 'shorter', pixels: 500 },
      { id: 'no-border', level: 'must' },
      { id: 'size-min', level: 'advice', side: 'shorter', pixels: 1500 },
      { id: 'fills-frame', level: 'advice', least: 0.75, most: 0.9 },
      NO_TEXT,
    ],
    sourceTypeWord: 'trainedAlgorithmicMedia',
    source: 'support.google.com/merchants/answer/6324350; guides for the share of the frame',
    asOf: READ_ON,
  },
  walmart: {
    name: 'Walmart',
    needs: 'cutout',
    picture: onWhite(2200, 2200, 0.9, 5),
    names: '{sku}-walmart-{n}',
    rules: [
      { id: 'background-white', level: 'must' },
      { id: 'square', level: 'must' },
      { id: 'bytes', level: 'must', most: 5 * MB },
      { id: 'file-type', level: 'must', types: ['JPEG', 'PNG', 'BMP'] },
      { id: 'size-min', level: 'advice', side: 'shorter', pixels: 1500 },
    ],
    source: 'marketplacelearn.walmart.com, image guidelines of 2025',
    asOf: READ_ON,
  },
  'tiktok-shop': {
    name: 'TikTok Shop',
    needs: 'cutout',
    picture: onWhite(1600, 1600, 0.85, 5),
    least: square(600),
    names: '{sku}-tiktok-{n}',
    rules: [
      { id: 'size-min', level: 'must', side: 'shorter', pixels: 600 },
      { id: 'size-max', level: 'must', side: 'longer', pixels: 6000 },
      { id: 'bytes', level: 'must', most: 5 * MB },
      { id: 'file-type', level: 'must', types: ['JPEG', 'PNG'] },
      { id: 'square', level: 'advice' },
      { id: 'fills-frame', level: 'advice', least: 0.8 },
      { id: 'background-white', level: 'advice' },
      SENTENCE,
    ],
    source: 'seller-us.tiktok.com, knowledge_id=491489038501663 (say what AI made); three guides of 2026 for the sizes',
    asOf: READ_LATER,
  },
  'instagram-square': {
    name: 'Instagram, square',
    needs: 'picture',
    picture: onWhite(1080, 1080, 0.85, 8),
    fit: 'crop',
    names: '{sku}-instagram-square-{n}',
    rules: [
      { id: 'size-min', level: 'advice', side: 'shorter', pixels: 1080 },
      { id: 'square', level: 'advice' },
      { id: 'colour-space', level: 'advice', spaces: ['sRGB'] },
    ],
    source: 'Guides of 2025 and 2026 for Instagram',
    asOf: READ_ON,
  },
  'instagram-portrait': {
    name: 'Instagram, portrait',
    needs: 'picture',
    picture: onWhite(1080, 1350, 0.85, 8),
    fit: 'crop',
    names: '{sku}-instagram-portrait-{n}',
    rules: [
      { id: 'size-min', level: 'advice', side: 'shorter', pixels: 1080 },
      { id: 'colour-space', level: 'advice', spaces: ['sRGB'] },
    ],
    source: 'Guides of 2025 and 2026 for Instagram',
    asOf: READ_ON,
  },
  'transparent-png': {
    name: 'Transparent PNG',
    needs: 'cutout',
    picture: { width: null, height: null, background: null, fill: null, contentType: 'image/png', maxBytes: null },
    names: '{sku}-transparent-{n}',
    rules: [{ id: 'has-transparency', level: 'must' }],
    source: 'Our own: the product with 2 % of its longer side around it, never scaled',
    asOf: READ_ON,
  },
  ...moreMarketplaces,
} as const satisfies Record<string, Marketplace>;
