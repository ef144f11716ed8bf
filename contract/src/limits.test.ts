import { describe, expect, it } from 'vitest';
import * as limits from './limits.ts';
import { archiveUrl, beforeUrl, mediaUrls, previewUrl } from './media.ts';
import { toolIds, tools } from './tools.ts';
import type { Tool } from './tool.ts';

/** Bytes that Node's HTTP parser accepts for URL and headers together. */
const HEADERS_MAX_BYTES = 16_384;
const UUID = '00000000-0000-4000-8000-000000000000';

describe('the limits are consistent', () => {
  it('a form fits the largest pictures and all texts that any tool needs', () => {
    for (const id of toolIds) {
      const fields = Object.values((tools[id] as Tool).fields);
      const files = fields.filter(({ kind }) => kind === 'image').length;
      expect(files).toBeLessThanOrEqual(limits.MULTIPART_MAX_FILES);
      expect(fields.length).toBeLessThanOrEqual(limits.MULTIPART_MAX_PARTS);
      expect(files * limits.IMAGE_MAX_BYTES + limits.MARKS_MAX_BYTES).toBeLessThan(limits.MULTIPART_MAX_BYTES);
    }
  });

  it('a text part fits the longest description in any alphabet', () => {
    expect(limits.PROMPT_MAX_LENGTH * Buffer.byteLength('🍵')).toBeLessThanOrEqual(limits.MULTIPART_TEXT_MAX_BYTES);
  });

  it('a marks part fits the maximum number of dabs, each with three decimals', () => {
    const dot = [0.123, 0.456, 0.789];
    const marks = { box: [0.123, 0.123, 0.456, 0.456], keep: Array<number[]>(limits.MARKS_MAX_DOTS).fill(dot) };
    expect(JSON.stringify(marks).length).toBeLessThanOrEqual(limits.MARKS_MAX_BYTES);
  });

  it('a URL fits the ids of the largest archive', () => {
    const ids = Array<string>(limits.ARCHIVE_MAX_IDS).fill(UUID);
    expect(archiveUrl(ids).length).toBeLessThan(HEADERS_MAX_BYTES - 4096);
  });

  it('some picture of the longest side has no more than the maximum pixels', () => {
    expect(limits.IMAGE_MAX_SIDE_PX * limits.IMAGE_MIN_SIDE_PX).toBeLessThanOrEqual(limits.IMAGE_MAX_PIXELS);
    expect(limits.SQUARE_SIDE_PX).toBeLessThanOrEqual(limits.IMAGE_MAX_SIDE_PX);
  });

  it('a result is kept for longer than it can be redone', () => {
    expect(limits.SECOND_TRY_SECONDS).toBeLessThan(limits.MEDIA_TTL_SECONDS);
  });

  it('the default page size is at most the maximum', () => {
    expect(limits.PAGE_LIMIT_DEFAULT).toBeLessThanOrEqual(limits.PAGE_LIMIT_MAX);
  });
});

describe('the length of a text', () => {
  it.each([
    ['', 0],
    ['mug', 3],
    ['Tässchen', 8],
    ['🍵🍵', 2],
    ['e\u0301', 2],
  ])('of %j is %i', (text, length) => {
    expect(limits.countCharacters(text)).toBe(length);
  });
});

describe('the addresses of a media item', () => {
  it('are all below it', () => {
    const { contentUrl, downloadUrl } = mediaUrls('m1', 'image/png');
    expect(mediaUrls('m1', 'image/png')).not.toHaveProperty('posterUrl');
    expect(mediaUrls('m1', 'video/mp4').posterUrl).toBe('/api/v1/media/m1/poster');
    expect(contentUrl).toBe('/api/v1/media/m1/content');
    expect(downloadUrl).toBe('/api/v1/media/m1/download');
    expect(previewUrl('m1', 640)).toBe('/api/v1/media/m1/preview?width=640');
    expect(beforeUrl('g1', 320)).toBe('/api/v1/generations/g1/before?width=320');
  });

  it('name the items of an archive, or everything', () => {
    expect(archiveUrl(['m1', 'm2'])).toBe('/api/v1/media/archive?ids=m1,m2');
    expect(archiveUrl(null)).toBe('/api/v1/media/archive');
  });
});
