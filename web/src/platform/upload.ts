export type OnSent = (sent: number, total: number) => void;

/** What is smaller is gone before anybody could read how much of it is. */
const WORTH_TELLING_BYTES = 200_000;

export type SendTelling = (url: string, init: RequestInit, onSent: OnSent) => Promise<Response>;

/** Sends a form like `fetch` does, and tells of one that takes its time how much of it is sent. */
export const sendTelling: SendTelling = (url, init, onSent) =>
  isWorthTelling(init.body) ? sendWithProgress(url, init, onSent) : fetch(url, init);

function isWorthTelling(body: unknown): body is FormData {
  if (!(body instanceof FormData)) return false;
  let bytes = 0;
  for (const value of body.values()) if (value instanceof Blob) bytes += value.size;
  return bytes >= WORTH_TELLING_BYTES;
}

/** Like `fetch`, which tells nothing of what it has sent. @throws TypeError without an answer, or the reason to stop */
export function sendWithProgress(url: string, { method = 'POST', headers, body, signal }: RequestInit, onSent: OnSent) {
  return new Promise<Response>((resolve, reject) => {
    signal?.throwIfAborted();
    const request = new XMLHttpRequest();
    request.open(method, url);
    new Headers(headers).forEach((value, name) => request.setRequestHeader(name, value));
    request.responseType = 'arraybuffer';
    request.upload.onprogress = ({ loaded, total }) => onSent(loaded, total);
    request.onload = () => {
      const lines = request.getAllResponseHeaders().trim().split(/\r?\n/);
      const given = lines.map((line): [string, string] => {
        const at = line.indexOf(':');
        return [line.slice(0, at), line.slice(at + 1).trim()];
      });
      const { status } = request;
      resolve(new Response(status === 204 ? null : (request.response as ArrayBuffer), { status, headers: given }));
    };
    request.onerror = () => reject(new TypeError('no answer'));
    request.onabort = () => reject(signal?.reason instanceof Error ? signal.reason : new Error('aborted'));
    signal?.addEventListener('abort', () => request.abort());
    request.send(body as FormData);
  });
}
