import type { Marketplace } from './packs.ts';

/** More of `marketplaces.ts`: Europe, Latin America, second hand and social networks. */

export const MB = 1_000_000;
export const READ_LATER = '2026-11-26';
export const square = (side: number) => ({ width: side, height: side });
/** A JPEG on white. `fill` is the product's share, `most` in MB. */
export const onWhite = (width: number, height: number, fill: number, most: number) =>
  ({ width, height, background: '#ffffff', fill, contentType: 'image/jpeg', maxBytes: most * MB }) as const;
/** No page says it is refused, every guide advises against it. */
export const NO_TEXT = { id: 'no-text', level: 'advice' } as const;
export const SENTENCE = { id: 'sentence-needed', level: 'advice' } as const;

export const moreMarketplaces = {
  zalando: {
    name: 'Zalando',
    needs: 'cutout',
    picture: onWhite(1801, 2600, 0.9, 20),
    least: { width: 762, height: 1100 },
    names: '{ean}-zalando-{n}',
    rules: [
      { id: 'background-white', level: 'must' },
      { id: 'size-min', level: 'must', side: 'both', width: 762, height: 1100 },
      { id: 'bytes', level: 'must', most: 20 * MB },
      { id: 'file-type', level: 'must', types: ['JPEG'] },
      { id: 'not-cut-off', level: 'must' },
      NO_TEXT,
    ],
    source: 'partner.zalando.com/university/article/zalando-image-guidelines, updated 2025-03-03',
    asOf: READ_LATER,
  },
  otto: {
    name: 'OTTO Market',
    needs: 'picture',
    picture: onWhite(2000, 2000, 0.85, 10),
    least: square(1000),
    names: '{ean}-otto-{n}',
    rules: [
      { id: 'size-min', level: 'must', side: 'both', width: 500, height: 1000 },
      { id: 'size-max', level: 'must', side: 'longer', pixels: 4500 },
      { id: 'file-type', level: 'must', types: ['JPEG', 'PNG'] },
      { id: 'colour-space', level: 'must', spaces: ['sRGB', 'other RGB'] },
      { id: 'fills-frame', level: 'advice', least: 0.8 },
      NO_TEXT,
    ],
    source:
      'Guides that quote OTTO: help.lengow.com/articles/15513887073948, portal.marcos-software.de; 10 MB is our own',
    asOf: READ_LATER,
  },
  kaufland: {
    name: 'Kaufland',
    needs: 'cutout',
    picture: onWhite(2000, 2000, 0.9, 10),
    least: square(1024),
    names: '{ean}-kaufland-{n}',
    rules: [
      { id: 'size-min', level: 'must', side: 'longer', pixels: 1024 },
      { id: 'whole-product', level: 'must', within: 'frame' },
      { id: 'background-white', level: 'advice' },
      NO_TEXT,
    ],
    source: 'A guide that quotes kaufland.de/i/produktdaten/guideline: it-wegbegleiter.de; 10 MB is our own',
    asOf: READ_LATER,
  },
  allegro: {
    name: 'Allegro',
    needs: 'cutout',
    picture: onWhite(2560, 2560, 0.9, 10),
    least: square(400),
    names: '{ean}-allegro-{n}',
    rules: [
      { id: 'background-white', level: 'must' },
      { id: 'size-min', level: 'advice', side: 'longer', pixels: 400 },
      { id: 'size-max', level: 'advice', side: 'longer', pixels: 2560 },
      { id: 'one-product', level: 'advice' },
      NO_TEXT,
      SENTENCE,
    ],
    source:
      'developer.allegro.pl, news on images in aiCoCreatedContent; guides for white, no text and 2560 pixels; 400 and 10 MB are our own',
    asOf: READ_LATER,
  },
  bol: {
    name: 'bol',
    needs: 'cutout',
    picture: onWhite(2000, 2000, 0.9, 10),
    least: square(500),
    names: '{ean}-bol-{n}',
    rules: [
      { id: 'background-white', level: 'must' },
      { id: 'size-min', level: 'must', side: 'shorter', pixels: 500 },
      { id: 'size-max', level: 'must', side: 'longer', pixels: 6000 },
      { id: 'bytes', level: 'must', most: 10 * MB },
      { id: 'size-min', level: 'advice', side: 'shorter', pixels: 1200 },
      NO_TEXT,
    ],
    source: 'partnerplatform.bol.com/en/need-help/productinformation/optimise-images',
    asOf: READ_LATER,
  },
  vinted: {
    name: 'Vinted',
    needs: 'picture',
    picture: onWhite(1440, 1920, 0.85, 10),
    least: { width: 600, height: 800 },
    names: '{sku}-vinted-{n}',
    rules: [{ id: 'ai-allowed', level: 'advice' }, { id: 'file-format', level: 'advice', refused: ['WebP'] }, NO_TEXT],
    source: 'vinted.co.uk/help/62 (own photos); no page names a size or a format: those are our own',
    asOf: READ_LATER,
  },
  depop: {
    name: 'Depop',
    needs: 'picture',
    picture: onWhite(1280, 1280, 0.85, 10),
    fit: 'crop',
    least: square(640),
    names: '{sku}-depop-{n}',
    rules: [
      { id: 'ai-allowed', level: 'advice' },
      { id: 'square', level: 'advice' },
    ],
    source: 'depophelp.zendesk.com, 360026574274 and 360012845797 (own photos); no page names a size: it is our own',
    asOf: READ_LATER,
  },
  'mercado-libre': {
    name: 'Mercado Libre',
    needs: 'cutout',
    picture: onWhite(1200, 1200, 0.95, 10),
    least: square(500),
    names: '{sku}-mercado-libre-{n}',
    rules: [
      { id: 'background-white', level: 'must' },
      { id: 'size-min', level: 'must', side: 'shorter', pixels: 500 },
      { id: 'bytes', level: 'must', most: 10 * MB },
      { id: 'file-format', level: 'must', refused: ['WebP', 'GIF', 'BMP', 'TIFF'] },
      { id: 'one-product', level: 'advice' },
      { id: 'colour-space', level: 'advice', spaces: ['sRGB', 'other RGB'] },
      { id: 'fills-frame', level: 'advice', least: 0.9 },
      NO_TEXT,
    ],
    source:
      'developers.mercadolibre.com.ar, working with pictures, 2024-02-02; mercadolibre.com.ar/ayuda/1024 for cover photos',
    asOf: READ_LATER,
  },
  'meta-shop': {
    name: 'Facebook and Instagram shops',
    needs: 'picture',
    picture: onWhite(1024, 1024, 0.85, 8),
    least: square(500),
    names: '{sku}-meta-{n}',
    rules: [
      { id: 'size-min', level: 'must', side: 'shorter', pixels: 500 },
      { id: 'bytes', level: 'must', most: 8 * MB },
      { id: 'file-type', level: 'must', types: ['JPEG', 'PNG'] },
      { id: 'square', level: 'advice' },
      { id: 'no-border', level: 'advice' },
      NO_TEXT,
    ],
    source:
      'Guides for Commerce Manager: productfeedspec.com/platforms/meta-catalog, resources.businessonbot.com; 8 MB by common knowledge',
    asOf: READ_LATER,
  },
  pinterest: {
    name: 'Pinterest',
    needs: 'picture',
    picture: onWhite(1000, 1500, 0.85, 10),
    names: '{sku}-pinterest-{n}',
    rules: [
      { id: 'bytes', level: 'must', most: 20 * MB },
      { id: 'file-type', level: 'must', types: ['JPEG', 'PNG'] },
      { id: 'size-min', level: 'advice', side: 'both', width: 1000, height: 1500 },
    ],
    source: 'help.pinterest.com/en/business/article/pinterest-product-specs',
    asOf: READ_LATER,
  },
} as const satisfies Record<string, Marketplace>;
