import { createHmac, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isSame } from '../secrets.ts';
import type { Job } from '../work/job-store.ts';
import type { Submission } from '../work/jobs.ts';
import { sendFile } from './files.ts';
import { getHeader, isTooLong, sendAnswer, type Answer } from './http.ts';
import { hasKey } from './permission.ts';
import type { Size } from '../pixels/plane.ts';
import { readPictureSize } from './picture-size.ts';
import { describeFailure } from './queue-answers.ts';
import type { Wire } from './wire.ts';

/** Stability's image-to-video below /stability: one picture in, an id out, the film under that id later. */

const PATH = '/v2beta/image-to-video';
const MAX_BODY_BYTES = 10 * 1024 * 1024;
const APP = 'fal-ai/bytedance/seedance/v1.5/pro/image-to-video';
const SECONDS = '4';
const SHAPES: Readonly<Record<string, string>> = { '1024x576': '16:9', '576x1024': '9:16', '768x768': '1:1' };

type ResultPath = { Params: { id: string } };

export async function addStabilityRoutes(http: FastifyInstance, wire: Wire): Promise<void> {
  const routes = async (scope: FastifyInstance) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    scope.addHook('onRequest', async (request, reply) => {
      if (hasKey(wire, request, 'Bearer')) return;
      return sendAnswer(reply, refuse(401, 'unauthorized', 'authorization: missing or wrong key'));
    });
    scope.setErrorHandler<Error>((error, _request, reply) => {
      if (!isTooLong(error)) throw error;
      return sendAnswer(reply, refuse(413, 'payload_too_large', 'body: larger than 10 MiB'));
    });
    scope.setNotFoundHandler((_request, reply) => sendAnswer(reply, refuseUnknown()));
    scope.post(PATH, { bodyLimit: MAX_BODY_BYTES }, async (request, reply) =>
      sendAnswer(reply, await start(wire, request)),
    );
    scope.get<ResultPath>(`${PATH}/result/:id`, (request, reply) => sendResult(wire, request, reply));
  };
  await http.register(routes, { prefix: '/stability' });
}

async function start(wire: Wire, request: FastifyRequest): Promise<Answer> {
  const form = await readForm(request);
  if (!form) return refuse(400, 'bad_request', 'body: must be multipart/form-data');
  const asked = await readAsk(form);
  if (Array.isArray(asked)) return refuse(400, 'bad_request', ...asked);
  const { id } = await wire.jobs.submit({ app: APP, ...asked, problems: [], isLowPriority: false });
  return { status: 200, body: { id: toPublicId(wire, id) } };
}

async function readForm(request: FastifyRequest): Promise<FormData | undefined> {
  const contentType = getHeader(request, 'content-type') ?? '';
  if (!contentType.startsWith('multipart/form-data') || !Buffer.isBuffer(request.body)) return undefined;
  try {
    const body = new Uint8Array(request.body);
    return await new Response(body, { headers: { 'content-type': contentType } }).formData();
  } catch {
    return undefined; // all broken forms are the same to their sender
  }
}

/** The job's input, or every fault of the form. Seed 0 means any seed, which here is one made of the picture. */
async function readAsk(form: FormData): Promise<Pick<Submission, 'input' | 'pictures'> | string[]> {
  const image = form.get('image');
  const picture = image instanceof Blob ? new Uint8Array(await image.arrayBuffer()) : undefined;
  const size = picture && readPictureSize(picture);
  const seed = readNumber(form, 'seed', { usual: 0, least: 0, most: 4_294_967_294, isWhole: true });
  const scale = readNumber(form, 'cfg_scale', { usual: 1.8, least: 0, most: 10, isWhole: false });
  const bucket = readNumber(form, 'motion_bucket_id', { usual: 127, least: 1, most: 255, isWhole: true });
  const faults = [findPictureFault(picture, size), seed, scale, bucket].filter((fault) => typeof fault === 'string');
  if (faults.length > 0 || !picture || !size) return faults;
  const input = {
    prompt: describeMotion(Number(bucket)),
    aspect_ratio: SHAPES[`${size.width}x${size.height}`],
    duration: SECONDS,
    ...(Number(seed) > 0 && { seed }),
  };
  return { input, pictures: { image_url: picture } };
}

function findPictureFault(picture: Uint8Array | undefined, size: Size | undefined): string | undefined {
  if (!picture || picture.length === 0) return 'image: is required';
  if (!size) return 'image: must be a JPEG or PNG picture';
  if (SHAPES[`${size.width}x${size.height}`] !== undefined) return undefined;
  return 'image: dimensions must be 1024x576, 576x1024 or 768x768';
}

type NumberRule = {
  usual: number;
  least: number;
  most: number;
  isWhole: boolean;
};

function readNumber(form: FormData, name: string, rule: NumberRule): number | string {
  const given = form.get(name);
  if (given === null || given === '') return rule.usual;
  const value = typeof given === 'string' ? Number(given) : NaN;
  const isRight = value >= rule.least && value <= rule.most && (!rule.isWhole || Number.isInteger(value));
  return isRight ? value : `${name}: must be ${rule.isWhole ? 'an integer ' : ''}from ${rule.least} to ${rule.most}`;
}

/** The endpoint has a number for how much shall move where our skill understands words. */
function describeMotion(bucket: number): string {
  if (bucket < 85) return 'slow push in';
  return bucket > 170 ? 'fast push in' : 'push in';
}

async function sendResult(wire: Wire, request: FastifyRequest<ResultPath>, reply: FastifyReply): Promise<FastifyReply> {
  const { id } = request.params;
  const job = findJob(wire, id);
  if (!job) return sendAnswer(reply, refuseUnknown());
  if (!job.outcome) return sendAnswer(reply, { status: 202, body: { id, status: 'in-progress' } });
  const { status, body } = job.outcome;
  if (status !== 200) {
    const isTheirs = status >= 400 && status < 500;
    const sentence = describeFailure(job).error ?? '';
    return sendAnswer(reply, isTheirs ? refuse(400, 'bad_request', sentence) : refuse(500, 'internal_error', sentence));
  }
  const { video, seed } = body as { video?: { url?: string }; seed?: number };
  const [fileId = '', name = ''] = (video?.url ?? '').split('/').slice(-2); // /files/<id>/<name>
  const file = await wire.files.findFile(fileId, name);
  if (!file) return sendAnswer(reply, refuseUnknown());
  if (getHeader(request, 'accept')?.includes('application/json')) {
    const base64 = await readFile(file.path, 'base64');
    return sendAnswer(reply, { status: 200, body: { video: base64, finish_reason: 'SUCCESS', seed: seed ?? 0 } });
  }
  reply.headers({ 'finish-reason': 'SUCCESS', seed: String(seed ?? 0) });
  return sendFile(wire, request, reply, { id: fileId, name });
}

/** 64 hexadecimal characters: the job's id and a signature, so that no other job is found under this door. */
function toPublicId(wire: Wire, jobId: string): string {
  const signature = createHmac('sha256', wire.key).update(`stability ${jobId}`).digest('hex').slice(0, 32);
  return `${Buffer.from(jobId, 'base64url').toString('hex')}${signature}`;
}

function findJob(wire: Wire, id: string): Job | undefined {
  if (!/^[0-9a-f]{64}$/.test(id)) return undefined;
  const jobId = Buffer.from(id.slice(0, 32), 'hex').toString('base64url');
  return isSame(toPublicId(wire, jobId), id) ? wire.jobs.find(jobId) : undefined;
}

function refuseUnknown(): Answer {
  return refuse(404, 'not_found', 'no such generation, or it has expired');
}

/** The `id` of a refusal is that of the refusal, not of a generation. */
function refuse(status: number, name: string, ...errors: string[]): Answer {
  return { status, body: { id: randomUUID().replaceAll('-', ''), name, errors } };
}
