/** One part of a multipart form with the boundary `x`; a file if it has a file name. */
export type Part = { name: string; body: string | Buffer; type?: string; filename?: string };
export const file = (body: string | Buffer, type = 'image/jpeg', filename = 'photo.jpg', name = 'image'): Part => ({
  name,
  body,
  type,
  filename,
});
export const text = (name: string, body: string): Part => ({ name, body });

/** The body of a form as a browser sends it, optionally truncated or with a preamble. */
export function writeForm(parts: Part[], options: { end?: string; preamble?: Buffer } = {}): Buffer {
  const pieces = parts.flatMap(({ name, body, type, filename }) => {
    const rest = filename === undefined ? '' : `; filename="${filename}"`;
    const kind = type === undefined ? '' : `\r\ncontent-type: ${type}`;
    return [`--x\r\ncontent-disposition: form-data; name="${name}"${rest}${kind}\r\n\r\n`, body, '\r\n'];
  });
  const all = [options.preamble ?? '', ...pieces, options.end ?? '--x--\r\n'];
  return Buffer.concat(all.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)));
}
