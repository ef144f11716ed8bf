// Stability's image-to-video below /stability: one picture in, an id out, the film under that id later.
import { createHmac, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Job } from '../job-store.ts';
import { isSame } from '../secrets.ts';
import { findSkill } from '../skills/skills.ts';
import { getHeader, readBytes, TooLong, type Answer } from './http.ts';
import { hasKey } from './permission.ts';
import { readPictureSize, type PictureSize } from './picture-size.ts';
import { describeFailure } from './queue-answers.ts';
import { answerFile } from './serve-file.ts';
import type { Wire } from './wire.ts';

const PATH = 'v2beta/image-to-video';
const MAX_BODY_BYTES = 10 * 1024 * 1024;
const APPS = ['fal-ai/bytedance/seedance/v1.5/pro/image-to-video', 'fal-ai/ltx-video/image-to-video'];
const SECONDS = '4';
const SHAPES: Readonly<Record<string, string>> = { '1024x576': '16:9', '576x1024': '9:16', '768x768': '1:1' };

export async function answerStability(
  wire: Wire,
  request: IncomingMessage,
  response: ServerResponse,
  path: string[],
): Promise<Answer | undefined> {
  if (!hasKey(wire, request, 'Bearer')) return refuse(401, 'unauthorized', 'authorization: missing or wrong key');
  const call = `${request.method} ${path.join('/')}`;
  if (call === `POST ${PATH}`) return start(wire, request);
  const id = call.startsWith(`GET ${PATH}/result/`) ? (path[3] ?? '') : '';
  const job = path.length === 4 ? findJob(wire, id) : undefined;
  if (!job) return refuse(404, 'not_found', 'no such generation, or it has expired');
  return answerResult(wire, request, response, id, job);
}

async function start(wire: Wire, request: IncomingMessage): Promise<Answer> {
  const app = APPS.find((candidate) => findSkill(candidate));
  if (app === undefined) return refuse(404, 'not_found', 'this engine makes no videos');
  const form = await readForm(request);
  if (form === 'too long') return refuse(413, 'payload_too_large', 'body: larger than 10 MiB');
  if (!form) return refuse(400, 'bad_request', 'body: must be multipart/form-data');
  const asked = await readAsk(form);
  if (Array.isArray(asked)) return refuse(400, 'bad_request', ...asked);
  const { id } = await wire.jobs.submit({ app, ...asked, problems: [], isLowPriority: false });
  return { status: 200, body: { id: toPublicId(wire, id) } };
}

async function readForm(request: IncomingMessage): Promise<FormData | 'too long' | undefined> {
  const contentType = getHeader(request, 'content-type') ?? '';
  if (!contentType.startsWith('multipart/form-data')) return undefined;
  try {
    const bytes = await readBytes(request, MAX_BODY_BYTES);
    return await new Response(new Uint8Array(bytes), { headers: { 'content-type': contentType } }).formData();
  } catch (error) {
    return error instanceof TooLong ? 'too long' : undefined; // all broken forms are the same to their sender
  }
}

interface Asked {
  input: Record<string, unknown>;
  pictures: Record<string, Uint8Array>;
}

/** The job's input, or every fault of the form. Seed 0 means any seed, which here is one made of the picture. */
async function readAsk(form: FormData): Promise<Asked | string[]> {
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

function findPictureFault(picture: Uint8Array | undefined, size: PictureSize | undefined): string | undefined {
  if (!picture || picture.length === 0) return 'image: is required';
  if (!size) return 'image: must be a JPEG or PNG picture';
  if (SHAPES[`${size.width}x${size.height}`] !== undefined) return undefined;
  return 'image: dimensions must be 1024x576, 576x1024 or 768x768';
}

interface NumberRule {
  usual: number;
  least: number;
  most: number;
  isWhole: boolean;
}

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

async function answerResult(
  wire: Wire,
  request: IncomingMessage,
  response: ServerResponse,
  id: string,
  job: Job,
): Promise<Answer | undefined> {
  if (!job.outcome) return { status: 202, body: { id, status: 'in-progress' } };
  const { status, body } = job.outcome;
  if (status !== 200) {
    const isTheirs = status >= 400 && status < 500;
    return refuse(isTheirs ? 400 : 500, isTheirs ? 'bad_request' : 'internal_error', describeFailure(job).error ?? '');
  }
  const { video, seed } = body as { video?: { url?: string }; seed?: number };
  const place = (video?.url ?? '').split('/').slice(-2); // /files/<id>/<name>
  const file = await wire.files.findFile(place[0] ?? '', place[1] ?? '');
  if (!file) return refuse(404, 'not_found', 'no such generation, or it has expired');
  if (getHeader(request, 'accept')?.includes('application/json')) {
    const base64 = await readFile(file.path, 'base64');
    return { status: 200, body: { video: base64, finish_reason: 'SUCCESS', seed: seed ?? 0 } };
  }
  response.setHeader('finish-reason', 'SUCCESS');
  response.setHeader('seed', String(seed ?? 0));
  return answerFile(wire, request, response, place);
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

/** The `id` of a refusal is that of the refusal, not of a generation. */
function refuse(status: number, name: string, ...errors: string[]): Answer {
  return { status, body: { id: randomUUID().replaceAll('-', ''), name, errors } };
}
