import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { toolIds, tools } from '@plinth/contract/tools';
import sharp from 'sharp';
import { mappings } from '../src/providers/mappings.ts';
import { makeClip } from './clip.ts';

/** A provider on fal's wire that does what a test says: slow, failing, lying, dying. It counts what it was asked. */

export type Behaviour = {
  submit?: (response: ServerResponse, request: SubmittedJob) => boolean;
  /** Body of the status answer, or that there is none; by default IN_PROGRESS until `finish` polls were made. */
  status?: (job: SubmittedJob) => { httpStatus?: number; body: object } | 'hangs';
  result?: (job: SubmittedJob, fileUrl: string) => { httpStatus?: number; body: unknown };
  file?: (response: ServerResponse) => boolean;
  polls?: number;
};

export type SubmittedJob = {
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
  const json = (response: ServerResponse, status: number, body: unknown) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    // The engine's three services lie below prefixes of one address.
    const path = ((request.url ?? '').split('?')[0] ?? '').replace(/^\/(queue|rest|run)(?=\/)/, '');
    const file = FILES[path];
    if (file !== undefined) {
      if (behaviour.file?.(response) === true) return;
      return void response.writeHead(200, { 'content-type': file }).end(path === CLIP ? clip : picture);
    }
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
  const status = (response: ServerResponse, job: SubmittedJob) => {
    job.polls += 1;
    const isDone = job.polls > (behaviour.polls ?? 1);
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

const CLIP_MODELS = toolIds.filter((id) => tools[id].file.type === 'mp4').map((id) => mappings[id].hosted.model);
const makesClip = (app: string) => CLIP_MODELS.includes(app);

/** In whichever shape the model of this job answers. */
function output({ app }: SubmittedJob, url: string): object {
  return makesClip(app) ? { video: { url } } : { image: { url }, images: [{ url }] };
}
