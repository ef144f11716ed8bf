/** Finds parts without a Content-Type, which the form parser reports as `text/plain` (RFC 7578) like declared ones. */

/** More than the parser accepts as a part's header. */
const MAX_HEADER_BYTES = 80 * 1024;
/** Read at once, because a body may come in chunks of one byte, each of which would copy the header so far. */
const BATCH_BYTES = 64 * 1024;
const HEADER_END = '\r\n\r\n';

export type PartHeaders = {
  push: (chunk: Buffer) => void;
  hasType: (name: string) => boolean;
  /** True once a part has begun. */
  hasParts: () => boolean;
};

export function watchPartHeaders(contentType: string): PartHeaders {
  const [, quoted, plain] = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType) ?? [];
  const boundary = Buffer.from(`--${quoted ?? plain ?? ''}\r\n`, 'latin1');
  const untyped = new Set<string>();
  let rest: Buffer = Buffer.alloc(0);
  let [unread, unreadBytes]: [Buffer[], number] = [[], 0];
  let isInHeader = false;
  let hasParts = false;
  const readHeader = (header: string) => {
    const name = /;\s*name="([^"]*)"/i.exec(header)?.[1];
    if (name !== undefined && !/^content-type:/im.test(header))
      untyped.add(Buffer.from(name, 'latin1').toString('utf8'));
  };
  const readUnread = () => {
    rest = Buffer.concat([rest, ...unread]);
    [unread, unreadBytes] = [[], 0];
    for (;;) {
      const delimiter = isInHeader ? HEADER_END : boundary;
      const at = rest.indexOf(delimiter);
      if (at === -1) break;
      if (isInHeader) readHeader(rest.toString('latin1', 0, at));
      // The line break before an empty header also ends it.
      rest = rest.subarray(at + delimiter.length - (isInHeader ? 0 : 2));
      isInHeader = !isInHeader;
      hasParts = true;
    }
    // A match may span two batches.
    const keptBytes = isInHeader ? MAX_HEADER_BYTES : boundary.byteLength;
    if (rest.byteLength > keptBytes) rest = rest.subarray(-keptBytes);
  };
  return {
    push: (chunk) => {
      unread.push(chunk);
      unreadBytes += chunk.byteLength;
      if (unreadBytes >= BATCH_BYTES) readUnread();
    },
    hasType: (name) => {
      readUnread();
      return !untyped.has(name);
    },
    hasParts: () => {
      readUnread();
      return hasParts;
    },
  };
}
