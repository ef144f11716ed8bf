export type OnSent = (sent: number, total: number) => void;

export type SendWithProgress = (url: string, init: RequestInit, onSent: OnSent) => Promise<Response>;

/** Sends a form like `fetch` and reports upload progress. @throws TypeError without a response, or the abort reason */
export const sendWithProgress: SendWithProgress = (url, { method = 'POST', headers, body, signal }, onSent) =>
  new Promise<Response>((resolve, reject) => {
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
