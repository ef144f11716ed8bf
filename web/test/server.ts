import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { errors, type ErrorCode, type FieldError } from '@plinth/contract/errors';

export type Answer = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;
/** Answers by "METHOD /path", without the query part. */
export type Answers = Record<string, Answer>;

/** A real server on this machine that answers as the test says; it records what it was asked. */
export async function startServer(answers: Answers): Promise<{ origin: string; asked: string[]; server: Server }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://test');
    asked.push(`${request.method} ${request.url}`);
    request.resume();
    const answer = answers[`${request.method} ${pathname}`] ?? refuse('not_found');
    void answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, server };
}

export function json(body: unknown, status = 200): Answer {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };
}

export function refuse(code: ErrorCode, fields: FieldError[] = [], detail: string = errors[code].detail): Answer {
  const { status } = errors[code];
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/problem+json', 'x-request-id': 'req_1' });
    response.end(JSON.stringify({ type: 'about:blank', title: '', status, code, detail, requestId: 'req_1', fields }));
  };
}

/** One answer after the other; the last one stays. */
export function inTurn(...answers: Answer[]): Answer {
  let next = 0;
  return (request, response) => {
    const answer = answers[Math.min(next, answers.length - 1)];
    next += 1;
    return answer?.(request, response);
  };
}

export const hangUp: Answer = (request) => {
  request.socket.destroy();
};

/** Accepts, and breaks off in the middle of saying so. */
export const breakOff: Answer = (_request, response) => {
  response.writeHead(202, { 'content-type': 'application/json', 'content-length': '100' });
  response.write('{"id":', () => response.destroy());
};

/** The whole body of a request, as text. */
export async function read(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request) text += String(part);
  return text;
}
