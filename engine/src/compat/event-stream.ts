import type { FastifyReply } from 'fastify';

/** Server-sent events on one answer; comment lines keep it from falling silent until it ends. */
export type EventStream = {
  tell: (body: unknown) => void;
  end: () => void;
  /** Tells the failure and closes without the proper end, which every client reports as an error. */
  breakOff: (body: unknown) => void;
};

const COMMENT_EVERY_MS = 4000; // the client gives up on a stream that is silent for 15 s

export function openEventStream(reply: FastifyReply, requestId: string): EventStream {
  reply.hijack();
  const response = reply.raw;
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-fal-request-id': requestId,
  });
  response.flushHeaders();
  const comment = setInterval(() => response.write(': waiting\n\n'), COMMENT_EVERY_MS);
  response.once('close', () => clearInterval(comment));
  return {
    tell: (body) => void response.write(`data: ${JSON.stringify(body)}\n\n`),
    end: () => {
      clearInterval(comment);
      response.end();
    },
    breakOff: (body) => {
      clearInterval(comment);
      response.write(`event: error\ndata: ${JSON.stringify(body)}\n\n`, () => response.destroy());
    },
  };
}
