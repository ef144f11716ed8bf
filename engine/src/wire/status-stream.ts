import type { ServerResponse } from 'node:http';

interface Source {
  requestId: string;
  read: () => unknown;
  hasEnded: () => boolean;
  onChange: (listener: () => void) => () => void;
}

const COMMENT_EVERY_MS = 4000; // the client gives up on a stream that is silent for 15 s

/** Server-sent events: one line of JSON per change of the job, closed after COMPLETED. */
export function streamStatus(response: ServerResponse, source: Source): void {
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-fal-request-id': source.requestId,
  });
  const tell = () => {
    response.write(`data: ${JSON.stringify(source.read())}\n\n`);
    if (source.hasEnded()) stop();
  };
  const comment = setInterval(() => response.write(': waiting\n\n'), COMMENT_EVERY_MS);
  const unsubscribe = source.onChange(tell);
  const stop = () => {
    clearInterval(comment);
    unsubscribe();
    response.end();
  };
  response.once('close', stop);
  tell();
}
