import { Agent, type IncomingMessage, request } from 'node:http';

/** Sends requests over a fixed number of keep-alive connections and measures their times. */

export type RequestOptions = { method?: string; headers?: Record<string, string>; body?: string | Buffer };
export type Answer = { status: number; headers: IncomingMessage['headers']; bytes: Buffer; readonly text: string };
export type Ask = (url: string, options?: RequestOptions) => Promise<Answer>;

/** Returns a client with at most `connections` keep-alive connections. */
export function openConnections(connections: number): { ask: Ask; close: () => void } {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const ask: Ask = (url, options = {}) =>
    new Promise((resolve, reject) => {
      const headers = { ...options.headers, 'content-length': String(Buffer.byteLength(options.body ?? '')) };
      const outgoing = request(url, { agent, method: options.method ?? 'GET', headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const bytes = Buffer.concat(chunks);
          const { statusCode: status = 0, headers: got } = response;
          resolve({
            status,
            headers: got,
            bytes,
            get text() {
              return bytes.toString();
            },
          });
        });
      });
      outgoing.on('error', reject);
      outgoing.end(options.body);
    });
  return { ask, close: () => agent.destroy() };
}

/** @throws Error with the response's text if its status is different */
export function expectStatus(answer: Answer, status: number, what: string): Answer {
  if (answer.status !== status) throw new Error(`${what} was answered ${answer.status}: ${answer.text.slice(0, 300)}`);
  return answer;
}

/** Runs `work` once for each item, at most `width` at a time. Results are in the order of the items. */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  width: number,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = new Array<Result>(items.length);
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const index = next;
      next += 1;
      results[index] = await work(items[index] as Item, index);
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  return results;
}

/** Result of one round. Times are in milliseconds. */
export type Round = { perSecond: number; p50: number; p99: number };

type RoundOptions = {
  connections: number;
  /** The round ends after this many seconds … */
  seconds: number;
  /** … or after this many requests, whichever comes first. */
  most: number;
  /** One request, from the first byte sent to the last byte received. `line` counts connections, `index` requests. */
  send: (line: number, index: number) => Promise<void>;
};

/** Runs a closed loop: each connection sends its next request after the previous response. */
export async function runRound({ connections, seconds, most, send }: RoundOptions): Promise<Round> {
  const times: number[] = [];
  const start = performance.now();
  const end = start + seconds * 1000;
  let begun = 0;
  const worker = async (line: number) => {
    while (begun < most && performance.now() < end) {
      const index = begun;
      begun += 1;
      const sentAt = performance.now();
      await send(line, index);
      times.push(performance.now() - sentAt);
    }
  };
  await Promise.all(Array.from({ length: connections }, (_, line) => worker(line)));
  return { perSecond: times.length / ((performance.now() - start) / 1000), ...summarize(times) };
}

export function summarize(times: number[]): Pick<Round, 'p50' | 'p99'> {
  const sorted = times.toSorted((a, b) => a - b);
  return { p50: percentile(sorted, 50), p99: percentile(sorted, 99) };
}

/** Nearest-rank percentile of times in ascending order. */
function percentile(sorted: number[], percent: number): number {
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? NaN;
}
