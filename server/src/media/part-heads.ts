/** Finds parts without a Content-Type, which the form parser reports as `text/plain` (RFC 7578) like declared ones. */

/** More than the parser accepts as a part's header. */
const MOST_HEAD_BYTES = 80 * 1024;
const HEAD_END = '\r\n\r\n';

export type PartHeads = { see: (chunk: Buffer) => void; hasType: (name: string) => boolean };

export function watchPartHeads(contentType: string): PartHeads {
  const [, quoted, plain] = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType) ?? [];
  const boundary = Buffer.from(`--${quoted ?? plain ?? ''}\r\n`, 'latin1');
  const untyped = new Set<string>();
  let rest: Buffer = Buffer.alloc(0);
  let isInHead = false;
  const read = (head: string) => {
    const name = /;\s*name="([^"]*)"/i.exec(head)?.[1];
    if (name !== undefined && !/^content-type:/im.test(head)) untyped.add(Buffer.from(name, 'latin1').toString('utf8'));
  };
  return {
    see: (chunk) => {
      rest = rest.byteLength === 0 ? chunk : Buffer.concat([rest, chunk]);
      for (;;) {
        const sought = isInHead ? HEAD_END : boundary;
        const at = rest.indexOf(sought);
        if (at === -1) break;
        if (isInHead) read(rest.toString('latin1', 0, at));
        // The line break before an empty header also ends it.
        rest = rest.subarray(at + sought.length - (isInHead ? 0 : 2));
        isInHead = !isInHead;
      }
      // A match may span two chunks.
      const kept = isInHead ? MOST_HEAD_BYTES : boundary.byteLength;
      if (rest.byteLength > kept) rest = rest.subarray(-kept);
    },
    hasType: (name) => !untyped.has(name),
  };
}
