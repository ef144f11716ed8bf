import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { errorText, log } from '../log.ts';
import { findSkill, type Skill } from '../skills/skills.ts';
import { decodeFrame, encodeFrame, type RealtimeFrame } from './frames.ts';
import { findOrigin } from '../wire/http.ts';
import { hasKey } from '../wire/permission.ts';
import { describeFailure, describeResult } from '../wire/queue-answers.ts';
import { hasToken, type Compat } from './routes.ts';
import { cancelQuietly, waitForEnd } from './run.ts';
import { MAX_SUBMIT_BYTES, submitInput } from '../wire/submit.ts';
import type { Wire } from '../wire/wire.ts';

/** wss://fal.run/<app>/realtime: one connection, many requests, each answered by a frame in the encoding it came in. */

type Ask = {
  app: { id: string; skill: Skill };
  query: URLSearchParams;
  /** How many frames may wait while one is worked on; the oldest go first. */
  maxBuffering: number;
  origin: string;
  host: string;
};

const PATH = /^\/run\/(.+)\/realtime$/;
const USUAL_BUFFERING = 2; // what the client's documentation recommends
const MAX_CONNECTIONS = 64;
const CLOSED_POLICY = 1008; // RFC 6455 section 7.4.1

/** Takes over the server's upgrade requests; returns what closes the connections. */
export function openRealtime(compat: Compat, server: Server, idleMs: number): () => void {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_SUBMIT_BYTES, perMessageDeflate: false });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const ask = readAsk(request);
    if (typeof ask === 'string') return refuse(socket, ask);
    if (sockets.clients.size >= MAX_CONNECTIONS) return refuse(socket, '503 Service Unavailable');
    const isAllowed = hasKey(compat, request) || hasToken(compat, ask.query, ask.app.id);
    sockets.handleUpgrade(request, socket, head, (peer) => {
      // The client asks for a new token on exactly this frame, so that it must come through an open connection.
      if (isAllowed) serve(compat, peer, ask, idleMs);
      else peer.send('{"status":"error","error":"Unauthorized"}', () => peer.close(CLOSED_POLICY, 'Unauthorized'));
    });
  });
  return () => {
    for (const peer of sockets.clients) peer.terminate();
  };
}

function readAsk(request: IncomingMessage): Ask | string {
  const address = request.url ?? '/';
  if (!URL.canParse(address, 'http://engine')) return '400 Bad Request';
  const { pathname, searchParams: query } = new URL(address, 'http://engine');
  const id = PATH.exec(pathname)?.[1];
  const skill = id === undefined ? undefined : findSkill(id);
  if (id === undefined || !skill) return '404 Not Found';
  const maxBuffering = Number(query.get('max_buffering') ?? USUAL_BUFFERING);
  if (!Number.isInteger(maxBuffering) || maxBuffering < 1 || maxBuffering > 60) return '400 Bad Request';
  return { app: { id, skill }, query, maxBuffering, origin: findOrigin(request), host: request.headers.host ?? '' };
}

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
}

function serve(wire: Wire, peer: WebSocket, ask: Ask, idleMs: number): void {
  const waiting: RealtimeFrame[] = [];
  let jobId: string | undefined;
  let isBusy = false;
  const idle = setTimeout(() => (isBusy ? idle.refresh() : endIdle(peer)), idleMs);

  const workOff = async () => {
    for (let frame = waiting.shift(); frame; frame = waiting.shift()) {
      const answer = await answerFrame(wire, ask, frame, (id) => {
        jobId = id;
        if (peer.readyState !== peer.OPEN) cancelQuietly(wire, id);
      });
      jobId = undefined;
      if (peer.readyState === peer.OPEN) peer.send(encodeFrame(answer, frame.isBinary));
      idle.refresh();
    }
  };
  peer.on('message', (bytes: Buffer, isBinary) => {
    idle.refresh();
    waiting.push({ bytes, isBinary });
    if (waiting.length > ask.maxBuffering) waiting.shift();
    if (isBusy) return;
    isBusy = true;
    void workOff()
      .catch((error: unknown) => giveUp(peer, error))
      .finally(() => (isBusy = false));
  });
  peer.on('error', () => peer.terminate()); // a frame that breaks the protocol or is too long
  peer.once('close', () => {
    clearTimeout(idle);
    waiting.length = 0;
    if (jobId !== undefined) cancelQuietly(wire, jobId);
  });
}

async function answerFrame(wire: Wire, ask: Ask, frame: RealtimeFrame, onJob: (id: string) => void): Promise<object> {
  const input = decodeFrame(frame);
  if (input === undefined) {
    return { type: 'x-fal-error', error: 'BAD_REQUEST', reason: 'The frame holds no JSON or msgpack object.' };
  }
  const job = await submitInput(wire, ask.app, input, ask.host, { isLowPriority: false });
  onJob(job.id);
  await waitForEnd(wire, job);
  const request_id = typeof input['request_id'] === 'string' ? input['request_id'].slice(0, 100) : job.id;
  const { status, body } = describeResult(job, ask.origin);
  if (status === 200) return { ...(body as object), request_id };
  const { error, error_type } = describeFailure(job);
  return { type: 'x-fal-error', error: error_type, reason: error, request_id, ...(body as object) };
}

/** The client takes this for a pause, not for an error, and connects again when it has something to send. */
function endIdle(peer: WebSocket): void {
  const frame = { type: 'x-fal-error', error: 'TIMEOUT', reason: 'Nothing was sent for a while.' };
  peer.send(JSON.stringify(frame), () => peer.close(1000));
}

function giveUp(peer: WebSocket, error: unknown): void {
  log('realtime_failed', { error: errorText(error) });
  peer.close(1011); // "internal error", RFC 6455
}
