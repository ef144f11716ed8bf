import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../clock.ts';
import type { Db } from '../data/db.ts';
import { canReplayAfter, type EventHub, type LiveEvent, readEventsAfter, readNewestSeq } from '../data/events.ts';
import { requireUser } from './caller.ts';

export type EventStreamOptions = {
  db: Db;
  hub: EventHub;
  clock: Clock;
  hello: (userId: string) => Promise<{ credits: number }>;
  /** Those sessions and keys that let nobody in any more, also by themselves: a refresh moves a session's end. */
  findEnded: (accessIds: string[]) => Promise<string[]>;
};

const REPLAYED_EVENTS = 500;
const STREAMS_PER_USER = 10;
const PING_MS = 10_000;
/** A reader that stopped reading is dropped at this many unsent bytes. */
const BACKLOG_BYTES = 256 * 1024;
const BREATH_BYTES = 64 * 1024;
const SESSION_CHECK_MS = 2000;

type Stream = ReturnType<typeof startStream>;

/** Server-sent events: one stream carries one person's own news, in order, without a gap. */
export function makeEventStreams(options: EventStreamOptions) {
  const streams = new Set<Stream>();
  // One question for all streams of the process, however many there are.
  const watch = setInterval(() => void endDead(streams, options), SESSION_CHECK_MS).unref();
  return {
    open: async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const { userId, accessId } = requireUser(request);
      if (request.method === 'HEAD') return reply.headers(HEADERS).send(Readable.from([]));
      const asked = readLastEventId(request);
      // Read before the balance: news in between is then sent again, not lost.
      const newest = await readNewestSeq(options.db, userId);
      const { credits } = await options.hello(userId);
      const canReplay = asked === null || (await canReplayAfter(options.db, userId, asked, REPLAYED_EVENTS));
      const stream = startStream(request, reply, { userId, accessId, seq: canReplay ? (asked ?? newest) : newest });
      admit(streams, stream);
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

async function endDead(streams: Set<Stream>, options: EventStreamOptions): Promise<void> {
  if (streams.size === 0) return;
  const ids = new Set([...streams].map(({ accessId }) => accessId));
  // While the database is away, nobody can say: the next question will.
  const ended = new Set(await options.findEnded([...ids]).catch(() => []));
  for (const stream of streams) if (ended.has(stream.accessId)) stream.endSession('signed_out');
}

/** Named as the reply names its own, which they take the place of. */
const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
};

/** The last event the reader saw; null without one, and -1, before all that is kept, where it is none of ours. */
function readLastEventId(request: FastifyRequest): number | null {
  const given = request.headers['last-event-id'];
  if (given === undefined || given === '') return null;
  return typeof given === 'string' && /^\d{1,15}$/.test(given) ? Number(given) : -1;
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
    endSession: (reason: string): void => {
      stream.write('session', { state: 'ended', reason });
      stream.end();
    },
    end: () => raw.end(),
  };
  return stream;
}

/** Keeps at most ten streams of one person: the oldest makes room and is asked to reconnect elsewhere. */
function admit(streams: Set<Stream>, stream: Stream): void {
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
        // Cleared away before they were read, as with a deleted account: who reads has to look for himself.
        if (events[0] !== undefined && events[0].seq !== stream.seq + 1) stream.write('resync', {}, events[0].seq - 1);
        await sendEvents(stream, events);
        if (events.length === REPLAYED_EVENTS) again = true;
      }
    } catch (error) {
      // The browser comes back with the last id it saw and misses nothing.
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
  // The connection lives on after an answer that ended, and may be gone before this answer began.
  raw.once('close', finish);
  if (raw.destroyed || request.raw.socket.destroyed) finish();
  void drain();
}

async function sendEvents(stream: Stream, events: LiveEvent[]): Promise<void> {
  for (const event of events) {
    stream.write(event.name, event.body, event.seq);
    // What is written in one turn of the loop waits together: the socket gets its turn in between.
    if (stream.backlog() > BREATH_BYTES) await setImmediate();
  }
}
