import type { PackId } from './pack-names.ts';
import type { ColourSpace, FileKind, Frame, Marketplace, Side, Condition } from './packs.ts';

/**
 * Each marketplace's requirements: sizes in pixels, files in bytes, shares from 0 to 1. When its rules change, update
 * figure, source and date here. A new marketplace also needs its id in `pack-names.ts`, at the same position. A source
 * is the marketplace's own page unless it says "guides". "Our own" marks figures that no page gives.
 */

const MILLION = 1_000_000;
const FIVE_GUIDES = 'Five guides of 2025 and 2026 that quote Seller Central';
const READ_22_NOV = '2026-11-22';
const READ_26_NOV = '2026-11-26';

const square = (side: number): Frame => ({ width: side, height: side });
/** A JPEG on white. `fill` is the product's share of the frame, `most` the file size in MB (10^6 bytes). */
const onWhite = (width: number, height: number, fill: number, most: number) =>
  ({ width, height, background: '#ffffff', fill, contentType: 'image/jpeg', maxBytes: most * MILLION }) as const;

const fills = (least: number, most?: number): Condition => ({ id: 'fills-frame', least, most });
const atLeast = (side: Side, pixels: number): Condition => ({ id: 'size-min', side, pixels });
const bothAtLeast = (width: number, height: number): Condition => ({ id: 'size-min', side: 'both', width, height });
const atMost = (side: Side, pixels: number): Condition => ({ id: 'size-max', side, pixels });
const megapixels = (most: number): Condition => ({ id: 'size-max', side: 'area', pixels: most * MILLION });
const megabytes = (most: number): Condition => ({ id: 'bytes', most: most * MILLION });
const isOneOf = (...types: FileKind[]): Condition => ({ id: 'file-type', types });
const isNone = (...refused: FileKind[]): Condition => ({ id: 'file-format', refused });
const coloursIn = (...spaces: ColourSpace[]): Condition => ({ id: 'colour-space', spaces });
const wholeIn = (within: 'frame' | 'square'): Condition => ({ id: 'whole-product', within });

export const marketplaces: Record<PackId, Marketplace> = {
  'amazon-main': {
    name: 'Amazon, main picture',
    needs: 'cutout',
    picture: onWhite(2000, 2000, 0.9, 10),
    names: '{asin}.{role}',
    roles: ['MAIN'],
    must: [
      'background-white',
      fills(0.85),
      atLeast('longer', 500),
      atMost('longer', 10_000),
      wholeIn('frame'),
      isOneOf('JPEG', 'PNG', 'TIFF', 'GIF'),
    ],
    advice: [atLeast('longer', 1600), 'square', 'one-product', 'no-text'],
    source: FIVE_GUIDES,
    asOf: READ_22_NOV,
  },
  'amazon-more': {
    name: 'Amazon, additional picture',
    picture: onWhite(2000, 2000, 0.9, 10),
    names: '{asin}.{role}',
    roles: ['PT01', 'PT02', 'PT03', 'PT04', 'PT05', 'PT06', 'PT07', 'PT08', 'SWATCH'],
    must: [atLeast('longer', 500), atMost('longer', 10_000)],
    advice: [atLeast('longer', 1600)],
    source: FIVE_GUIDES,
    asOf: READ_22_NOV,
  },
  ebay: {
    name: 'eBay',
    picture: onWhite(1600, 1600, 0.9, 12),
    names: '{sku}-ebay-{n}',
    must: [atLeast('longer', 500), 'no-border', megabytes(12)],
    advice: [atLeast('longer', 1600), 'no-text'],
    source: 'ebay.com, picture policy; guides for 1600 pixels and 12 MB',
    asOf: READ_22_NOV,
  },
  etsy: {
    name: 'Etsy',
    picture: onWhite(2000, 2000, 0.8, 10),
    names: '{n}-{sku}-etsy',
    must: ['ai-allowed'],
    advice: [atLeast('shorter', 2000), wholeIn('square'), 'sentence-needed'],
    source:
      'etsy.com/legal/policy/listing-image-requirements (the thing itself); guides of 2025 and 2026 for the sizes',
    asOf: READ_26_NOV,
  },
  shopify: {
    name: 'Shopify',
    picture: onWhite(2048, 2048, 0.85, 20),
    names: '{handle}-{n}',
    must: [megabytes(20), megapixels(25)],
    advice: [atLeast('shorter', 2048), 'square'],
    source: 'Guides of 2025 and 2026 for Shopify shops',
    asOf: READ_22_NOV,
  },
  'google-merchant': {
    name: 'Google Merchant Center',
    picture: onWhite(1500, 1500, 0.85, 16),
    names: '{sku}-google-{n}',
    // 500 px applies from 31 January 2027; until then 100 x 100, for clothes 250 x 250.
    must: [megapixels(64), megabytes(16), atLeast('shorter', 500), 'no-border'],
    advice: [atLeast('shorter', 1500), fills(0.75, 0.9), 'no-text'],
    sourceTypeWord: 'trainedAlgorithmicMedia',
    source: 'support.google.com/merchants/answer/6324350; guides for the share of the frame',
    asOf: READ_22_NOV,
  },
  walmart: {
    name: 'Walmart',
    needs: 'cutout',
    picture: onWhite(2200, 2200, 0.9, 5),
    names: '{sku}-walmart-{n}',
    must: ['background-white', 'square', megabytes(5), isOneOf('JPEG', 'PNG', 'BMP')],
    advice: [atLeast('shorter', 1500)],
    source: 'marketplacelearn.walmart.com, image guidelines of 2025',
    asOf: READ_22_NOV,
  },
  'tiktok-shop': {
    name: 'TikTok Shop',
    needs: 'cutout',
    picture: onWhite(1600, 1600, 0.85, 5),
    names: '{sku}-tiktok-{n}',
    must: [atLeast('shorter', 600), atMost('longer', 6000), megabytes(5), isOneOf('JPEG', 'PNG')],
    advice: ['square', fills(0.8), 'background-white', 'sentence-needed'],
    source: 'seller-us.tiktok.com, knowledge_id=491489038501663 (say what AI made); three guides of 2026 for the sizes',
    asOf: READ_26_NOV,
  },
  'instagram-square': {
    name: 'Instagram, square',
    picture: onWhite(1080, 1080, 0.85, 8),
    fit: 'crop',
    names: '{sku}-instagram-square-{n}',
    advice: [atLeast('shorter', 1080), 'square', coloursIn('sRGB')],
    source: 'Guides of 2025 and 2026 for Instagram',
    asOf: READ_22_NOV,
  },
  'instagram-portrait': {
    name: 'Instagram, portrait',
    picture: onWhite(1080, 1350, 0.85, 8),
    fit: 'crop',
    names: '{sku}-instagram-portrait-{n}',
    advice: [atLeast('shorter', 1080), coloursIn('sRGB')],
    source: 'Guides of 2025 and 2026 for Instagram',
    asOf: READ_22_NOV,
  },
  'transparent-png': {
    name: 'Transparent PNG',
    needs: 'cutout',
    picture: { width: null, height: null, background: null, fill: null, contentType: 'image/png', maxBytes: null },
    names: '{sku}-transparent-{n}',
    must: ['has-transparency'],
    source: 'Our own: the product with 2 % of its longer side around it, never scaled',
    asOf: READ_22_NOV,
  },
  zalando: {
    name: 'Zalando',
    needs: 'cutout',
    picture: onWhite(1801, 2600, 0.9, 20),
    names: '{ean}-zalando-{n}',
    must: ['background-white', bothAtLeast(762, 1100), megabytes(20), isOneOf('JPEG'), 'not-cut-off'],
    advice: ['no-text'],
    source: 'partner.zalando.com/university/article/zalando-image-guidelines, updated 2025-03-03',
    asOf: READ_26_NOV,
  },
  otto: {
    name: 'OTTO Market',
    picture: onWhite(2000, 2000, 0.85, 10),
    least: square(1000),
    names: '{ean}-otto-{n}',
    must: [bothAtLeast(500, 1000), atMost('longer', 4500), isOneOf('JPEG', 'PNG'), coloursIn('sRGB', 'other RGB')],
    advice: [fills(0.8), 'no-text'],
    source:
      'Guides that quote OTTO: help.lengow.com/articles/15513887073948, portal.marcos-software.de; 10 MB is our own',
    asOf: READ_26_NOV,
  },
  kaufland: {
    name: 'Kaufland',
    needs: 'cutout',
    picture: onWhite(2000, 2000, 0.9, 10),
    names: '{ean}-kaufland-{n}',
    must: [atLeast('longer', 1024), wholeIn('frame')],
    advice: ['background-white', 'no-text'],
    source: 'A guide that quotes kaufland.de/i/produktdaten/guideline: it-wegbegleiter.de; 10 MB is our own',
    asOf: READ_26_NOV,
  },
  allegro: {
    name: 'Allegro',
    needs: 'cutout',
    picture: onWhite(2560, 2560, 0.9, 10),
    least: square(400),
    names: '{ean}-allegro-{n}',
    must: ['background-white'],
    advice: [atLeast('longer', 400), atMost('longer', 2560), 'one-product', 'no-text', 'sentence-needed'],
    source:
      'developer.allegro.pl, news on images in aiCoCreatedContent; guides for white, no text and 2560 pixels; 400 and 10 MB are our own',
    asOf: READ_26_NOV,
  },
  bol: {
    name: 'bol',
    needs: 'cutout',
    picture: onWhite(2000, 2000, 0.9, 10),
    names: '{ean}-bol-{n}',
    must: ['background-white', atLeast('shorter', 500), atMost('longer', 6000), megabytes(10)],
    advice: [atLeast('shorter', 1200), 'no-text'],
    source: 'partnerplatform.bol.com/en/need-help/productinformation/optimise-images',
    asOf: READ_26_NOV,
  },
  vinted: {
    name: 'Vinted',
    picture: onWhite(1440, 1920, 0.85, 10),
    least: { width: 600, height: 800 },
    names: '{sku}-vinted-{n}',
    advice: ['ai-allowed', isNone('WebP'), 'no-text'],
    source: 'vinted.co.uk/help/62 (own photos); no page names a size or a format: those are our own',
    asOf: READ_26_NOV,
  },
  depop: {
    name: 'Depop',
    picture: onWhite(1280, 1280, 0.85, 10),
    fit: 'crop',
    least: square(640),
    names: '{sku}-depop-{n}',
    advice: ['ai-allowed', 'square'],
    source: 'depophelp.zendesk.com, 360026574274 and 360012845797 (own photos); no page names a size: it is our own',
    asOf: READ_26_NOV,
  },
  'mercado-libre': {
    name: 'Mercado Libre',
    needs: 'cutout',
    picture: onWhite(1200, 1200, 0.95, 10),
    names: '{sku}-mercado-libre-{n}',
    must: ['background-white', atLeast('shorter', 500), megabytes(10), isNone('WebP', 'GIF', 'BMP', 'TIFF')],
    advice: ['one-product', coloursIn('sRGB', 'other RGB'), fills(0.9), 'no-text'],
    source:
      'developers.mercadolibre.com.ar, working with pictures, 2024-02-02; mercadolibre.com.ar/ayuda/1024 for cover photos',
    asOf: READ_26_NOV,
  },
  'meta-shop': {
    name: 'Facebook and Instagram shops',
    picture: onWhite(1024, 1024, 0.85, 8),
    names: '{sku}-meta-{n}',
    must: [atLeast('shorter', 500), megabytes(8), isOneOf('JPEG', 'PNG')],
    advice: ['square', 'no-border', 'no-text'],
    source:
      'Guides for Commerce Manager: productfeedspec.com/platforms/meta-catalog, resources.businessonbot.com; 8 MB by common knowledge',
    asOf: READ_26_NOV,
  },
  pinterest: {
    name: 'Pinterest',
    picture: onWhite(1000, 1500, 0.85, 10),
    names: '{sku}-pinterest-{n}',
    must: [megabytes(20), isOneOf('JPEG', 'PNG')],
    advice: [bothAtLeast(1000, 1500)],
    source: 'help.pinterest.com/en/business/article/pinterest-product-specs',
    asOf: READ_26_NOV,
  },
};
