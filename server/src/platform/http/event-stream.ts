import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { SessionEndReason } from '@plinth/contract/events';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../clock.ts';
import type { Db } from '../data/db.ts';
import { canReplayAfter, type EventHub, type LiveEvent, readEventsAfter, readNewestSeq } from '../data/events.ts';
import { requireUser } from './caller.ts';

type EventStreamOptions = {
  db: Db;
  hub: EventHub;
  clock: Clock;
  hello: (userId: string) => Promise<{ credits: number }>;
  /** Returns the sessions and keys among these that no longer give access, including expired ones. */
  listEnded: (accessIds: string[]) => Promise<string[]>;
};

const REPLAYED_EVENTS = 500;
const STREAMS_PER_USER = 10;
const PING_MS = 10_000;
/** A stalled reader is disconnected at this many unsent bytes. */
const BACKLOG_BYTES = 256 * 1024;
const YIELD_BYTES = 64 * 1024;
const SESSION_CHECK_MS = 2000;

type Stream = ReturnType<typeof startStream>;

/** Server-sent events: a stream carries one user's events, in order and without gaps. */
export function makeEventStreams(options: EventStreamOptions) {
  const streams = new Set<Stream>();
  // One query for all streams of the process.
  const watch = setInterval(() => void closeEndedStreams(streams, options), SESSION_CHECK_MS).unref();
  return {
    open: async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const { userId, accessId } = requireUser(request);
      if (request.method === 'HEAD') return reply.headers(HEADERS).send(Readable.from([]));
      const lastEventId = readLastEventId(request);
      // Read before the balance, so that events in between are repeated rather than lost.
      const newest = await readNewestSeq(options.db, userId);
      const { credits } = await options.hello(userId);
      const canReplay =
        lastEventId === null || (await canReplayAfter(options.db, userId, lastEventId, REPLAYED_EVENTS));
      const stream = startStream(request, reply, {
        userId,
        accessId,
        seq: canReplay ? (lastEventId ?? newest) : newest,
      });
      addStream(streams, stream);
      stream.write('hello', { credits, serverTime: options.clock.now().toISOString() }, stream.seq);
      if (!canReplay) stream.write('resync', {}, stream.seq);
      follow(stream, { request, reply }, options, () => streams.delete(stream));
      return reply;
    },
    count: () => streams.size,
    closeAll: (): void => {
      clearInterval(watch);
      for (const stream of streams) stream.end();
    },
  };
}

async function closeEndedStreams(streams: Set<Stream>, options: EventStreamOptions): Promise<void> {
  if (streams.size === 0) return;
  const ids = new Set([...streams].map(({ accessId }) => accessId));
  // In an outage of the database this is unknown until the next check.
  const ended = new Set(await options.listEnded([...ids]).catch(() => []));
  for (const stream of streams) if (ended.has(stream.accessId)) stream.endSession('signed_out');
}

/** Lower case, to override the reply's own headers. */
const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
};

/** The reader's last event; null without one; -1, before all stored events, if it is invalid. */
function readLastEventId(request: FastifyRequest): number | null {
  const header = request.headers['last-event-id'];
  if (header === undefined || header === '') return null;
  return typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : -1;
}

function startStream(
  request: FastifyRequest,
  reply: FastifyReply,
  start: { userId: string; accessId: string; seq: number },
) {
  reply.hijack();
  const { raw } = reply;
  const headers = Object.entries({ ...reply.getHeaders(), ...HEADERS }).filter((entry) => entry[1] !== undefined);
  raw.writeHead(200, Object.fromEntries(headers) as Record<string, string>);
  request.raw.socket.setNoDelay(true);
  raw.write('retry: 3000\n\n');
  const send = (text: string) => {
    if (raw.writableEnded || raw.destroyed) return;
    raw.write(text);
    if (raw.writableLength > BACKLOG_BYTES) raw.destroy();
  };
  const stream = {
    ...start,
    write: (name: string, body: unknown, seq?: number): void => {
      if (seq !== undefined) stream.seq = seq;
      send(`id: ${stream.seq}\nevent: ${name}\ndata: ${JSON.stringify(body)}\n\n`);
    },
    comment: (): void => send(': ping\n\n'),
    backlog: (): number => raw.writableLength,
    endSession: (reason: SessionEndReason): void => {
      stream.write('session', { state: 'ended', reason });
      stream.end();
    },
    end: () => raw.end(),
  };
  return stream;
}

/** Keeps at most ten streams per user: the oldest is closed and asked to reconnect elsewhere. */
function addStream(streams: Set<Stream>, stream: Stream): void {
  const own = [...streams].filter(({ userId }) => userId === stream.userId);
  const [oldest] = own;
  if (own.length >= STREAMS_PER_USER && oldest !== undefined) {
    streams.delete(oldest);
    oldest.write('resync', {});
    oldest.end();
  }
  streams.add(stream);
}

function follow(
  stream: Stream,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  options: EventStreamOptions,
  onClose: () => void,
): void {
  let reading = false;
  let again = false;
  let closed = false;
  const drain = async (): Promise<void> => {
    again = true;
    if (reading) return;
    reading = true;
    try {
      while (again && !closed) {
        again = false;
        const events = await readEventsAfter(options.db, stream.userId, stream.seq, REPLAYED_EVENTS);
        // Events were deleted before they were read, as with a deleted account: the reader must refetch.
        if (events[0] !== undefined && events[0].seq !== stream.seq + 1) stream.write('resync', {}, events[0].seq - 1);
        await sendEvents(stream, events);
        if (events.length === REPLAYED_EVENTS) again = true;
      }
    } catch (error) {
      // The browser reconnects with its last event id and misses nothing.
      request.log.warn({ err: error }, 'event stream');
      stream.end();
    } finally {
      reading = false;
    }
  };
  const stops = [
    options.hub.watchUser(stream.userId, () => void drain()),
    options.hub.watchSession(stream.accessId, stream.endSession),
  ];
  const ping = setInterval(stream.comment, PING_MS);
  const { raw } = reply;
  const finish = () => {
    closed = true;
    clearInterval(ping);
    for (const stop of stops) stop();
    onClose();
  };
  // The connection outlives the response, and may be closed before the response starts.
  raw.once('close', finish);
  if (raw.destroyed || request.raw.socket.destroyed) finish();
  void drain();
}

async function sendEvents(stream: Stream, events: LiveEvent[]): Promise<void> {
  for (const event of events) {
    stream.write(event.name, event.body, event.seq);
    // Writes of one event loop turn are buffered together, so the socket must get a turn in between.
    if (stream.backlog() > YIELD_BYTES) await setImmediate();
  }
}
