import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { toolIds, tools } from '@plinth/contract/tools';
import sharp from 'sharp';
import { mappings } from '../src/providers/mappings.ts';
import { makeClip } from './clip.ts';

/**
 * A provider on fal's wire format that behaves as a test says: slow, failing, lying, dying. It counts requests. It also
 * stands in for the built-in engine, whose `POST /tasks` is the same work in one call.
 */

export type Behaviour = {
  /** Answer to a request for storing a large picture. */
  upload?: (response: ServerResponse, headers: IncomingMessage['headers']) => boolean;
  submit?: (response: ServerResponse, request: SubmittedJob) => boolean;
  /** Body of the status response, or that there is none; by default IN_PROGRESS until `finish` polls were made. */
  status?: (job: SubmittedJob) => { httpStatus?: number; body: object } | 'hangs';
  result?: (job: SubmittedJob, fileUrl: string) => { httpStatus?: number; body: unknown };
  file?: (response: ServerResponse) => boolean;
  /** Number of polls until a job is done; 1 by default. */
  polls?: number | ((job: SubmittedJob) => number);
};

type SubmittedJob = {
  id: string;
  app: string;
  input: Record<string, unknown>;
  headers: IncomingMessage['headers'];
  polls: number;
  canceled: boolean;
};

const PICTURE = '/file.png';
const CLIP = '/clip.mp4';
const FILES: Record<string, string> = { [PICTURE]: 'image/png', [CLIP]: 'video/mp4' };

export type ScriptedProvider = {
  url: string;
  host: string;
  submits: SubmittedJob[];
  behave: (behaviour: Behaviour) => void;
  close: () => Promise<void>;
};

export async function startScriptedProvider(): Promise<ScriptedProvider> {
  const picture = await sharp({ create: { width: 64, height: 48, channels: 4, background: '#20a060' } })
    .png()
    .toBuffer();
  const clip = await makeClip();
  const submits: SubmittedJob[] = [];
  let behaviour: Behaviour = {};
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });
  const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const pollsOf = (job: SubmittedJob) =>
    typeof behaviour.polls === 'function' ? behaviour.polls(job) : (behaviour.polls ?? 1);
  const json = (response: ServerResponse, status: number, body: unknown) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    if (path === '/tasks') return doTask(request, response);
    const file = FILES[path];
    if (file !== undefined) {
      if (behaviour.file?.(response) === true) return;
      return void response.writeHead(200, { 'content-type': file }).end(path === CLIP ? clip : picture);
    }
    if (path === '/storage/upload/initiate' && behaviour.upload?.(response, request.headers) === true) return;
    if (path === '/storage/upload/initiate')
      return void json(response, 200, { upload_url: `${origin()}/put`, file_url: `${origin()}/file.png` });
    if (path === '/put') return void (await buffer(request), response.writeHead(200).end());
    const found = /\/requests\/([^/]+)(\/status|\/cancel)?$/.exec(path);
    if (found === null) return submit(request, response, path);
    const job = submits.find((one) => one.id === found[1]);
    if (job === undefined) return void json(response, 404, { detail: 'not found' });
    if (found[2] === '/cancel')
      return void ((job.canceled = true), json(response, 202, { status: 'CANCELLATION_REQUESTED' }));
    if (found[2] === '/status') return status(response, job);
    const url = `${origin()}${makesClip(job.app) ? CLIP : PICTURE}`;
    const { httpStatus = 200, body } = behaviour.result?.(job, url) ?? { body: output(job, url) };
    json(response, httpStatus, body);
  };
  const submit = async (request: IncomingMessage, response: ServerResponse, path: string): Promise<void> => {
    const input = JSON.parse((await buffer(request)).toString()) as Record<string, unknown>;
    const job = { id: randomUUID(), app: path.slice(1), input, headers: request.headers, polls: 0, canceled: false };
    submits.push(job);
    if (behaviour.submit?.(response, job) === true) return;
    json(response, 200, {
      status: 'IN_QUEUE',
      request_id: job.id,
      status_url: '',
      response_url: '',
      cancel_url: '',
      queue_position: 0,
    });
  };
  const doTask = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { skill, input } = await readTask(request);
    const job = { id: randomUUID(), app: skill, input, headers: request.headers, polls: 0, canceled: false };
    submits.push(job);
    if (behaviour.submit?.(response, job) === true) return;
    response.once('close', () => (job.canceled = !response.writableFinished));
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    const tell = (line: object) => response.write(`${JSON.stringify(line)}\n`);
    tell({ kind: 'queued' });
    for (; job.polls < pollsOf(job) && !response.destroyed; job.polls += 1) {
      tell({ kind: 'progress', percent: 40 });
      await sleep(POLL_MS);
    }
    const fields = behaviour.status?.(job);
    if (fields === 'hangs') return;
    if (fields?.httpStatus !== undefined) return void response.destroy();
    if (fields !== undefined) return void response.end(`${JSON.stringify({ kind: 'none', ...fields.body })}\n`);
    const url = `${origin()}${makesClip(skill) ? CLIP : PICTURE}`;
    const end = toEnd(behaviour.result?.(job, url) ?? { body: output(job, url) });
    if (typeof end === 'object') return void response.end(`${JSON.stringify(end)}\n`);
    const content = Buffer.from(await (await fetch(url)).arrayBuffer());
    response.end(Buffer.concat([Buffer.from(`${end}${content.byteLength}}\n`), content]));
  };
  const status = (response: ServerResponse, job: SubmittedJob) => {
    job.polls += 1;
    const isDone = job.polls > pollsOf(job);
    const usual: { httpStatus?: number; body: object } = {
      body: { status: isDone ? 'COMPLETED' : 'IN_PROGRESS', request_id: job.id, logs: [{ message: '40% Working' }] },
    };
    const given = behaviour.status?.(job) ?? usual;
    if (given !== 'hangs') json(response, given.httpStatus ?? 200, given.body);
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: origin(),
    host: new URL(origin()).host,
    submits,
    behave: (next) => void (behaviour = next),
    close: () => new Promise((resolve) => void (server.closeAllConnections(), server.close(() => resolve()))),
  };
}

const POLL_MS = 10;

/** A task as the engine receives it; pictures are data URLs among the other inputs. */
async function readTask(request: IncomingMessage): Promise<{ skill: string; input: Record<string, unknown> }> {
  const headers = { 'content-type': request.headers['content-type'] ?? '' };
  const form = await new Response(new Uint8Array(await buffer(request)), { headers }).formData();
  const text = (name: string) => (form.get(name) as string | null) ?? '';
  const input = JSON.parse(text('input')) as Record<string, unknown>;
  for (const [name, value] of form) {
    if (typeof value === 'string') continue;
    const base64 = Buffer.from(await value.arrayBuffer()).toString('base64');
    input[name] = `data:${value.type};base64,${base64}`;
  }
  return { skill: text('skill'), input };
}

type FalResult = { httpStatus?: number; body: unknown };

/** Converts a result on fal's wire to the end of a task: a JSON line, optionally followed by a file. */
function toEnd({ httpStatus = 200, body }: FalResult): object | string {
  const fields = body as Record<string, unknown>;
  const { detail, understood, not_drawn: notDrawn, placement, image, images, video } = fields;
  const [refused] = Array.isArray(detail) ? (detail as { msg: string }[]) : [];
  if (refused !== undefined) return { kind: 'refused', message: refused.msg };
  if (httpStatus !== 200) return { kind: 'failed', reason: 'broke' };
  if (image === undefined && images === undefined && video === undefined) return { kind: 'done', bytes: 0 };
  return `${JSON.stringify({ kind: 'done', understood, notDrawn, placement }).slice(0, -1)},"bytes":`;
}

const CLIP_MODELS = toolIds
  .filter((id) => tools[id].file.type === 'mp4')
  .flatMap((id) => [mappings[id].hosted.model, mappings[id].engine.skill]);
const makesClip = (app: string) => CLIP_MODELS.includes(app);

/** In the shape that the job's model returns. */
function output({ app }: SubmittedJob, url: string): object {
  return makesClip(app) ? { video: { url } } : { image: { url }, images: [{ url }] };
}
