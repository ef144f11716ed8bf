// Regenerates the examples of the idle stages: small WebPs of every tool's samples, or of one TOOL's. node
// scripts/examples.mjs http://localhost:8080 [TOOL] needs a product running with AUTH_EMAIL_SIGNUP=true
// SIGNUP_CREDITS=20 and a DATA_DIR of its own.
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { root } from './steps.mjs';

const samples = join(root, 'web', 'public', 'samples');
const examples = join(root, 'web', 'public', 'examples');
const SIDE = 440;
const origin = process.argv[2];
const POLL_MS = 1000;

/** Sample pictures and texts by field. */
const TOOLS = {
  'text-to-image': { pictures: { image: 'mug' }, texts: { prompt: 'Wooden table, morning light' } },
  remover: { pictures: { image: 'teddy' }, texts: {} },
  'dress-change': { pictures: { modelImage: 'person-nora', garmentImage: 'garment-striped' }, texts: {} },
  'headshot-generator': { pictures: { image: 'face-nora' }, texts: { hairStyle: 'user_hair' } },
  'basic-image-to-video': { pictures: { image: 'mug' }, texts: {} },
  'image-to-video': { pictures: { image: 'dropper' }, texts: { prompt: 'Slow turn to the left' } },
};

mkdirSync(examples, { recursive: true });
const cookie = await signUp();
for (const [tool, { pictures, texts }] of Object.entries(TOOLS)) {
  if (process.argv[3] !== undefined && process.argv[3] !== tool) continue;
  for (const [index, name] of Object.values(pictures).entries())
    await write(`${tool}-${index}`, readFileSync(join(samples, `${name}.jpg`)));
  const { result } = await generate(tool, pictures, texts);
  const path =
    result.contentType === 'image/png' ? result.contentUrl : `/api/v1/media/${result.mediaId}/preview?width=640`;
  await write(`${tool}-${Object.keys(pictures).length}`, Buffer.from(await (await call(path)).arrayBuffer()));
}

async function write(name, content) {
  const picture = sharp(content).resize(SIDE, SIDE, { fit: 'cover', position: isOfPerson(name) ? 'top' : 'centre' });
  await picture.webp({ quality: 80, effort: 6 }).toFile(join(examples, `${name}.webp`));
}

function isOfPerson(name) {
  return name.startsWith('dress') || name.startsWith('headshot');
}

async function signUp() {
  const body = JSON.stringify({ email: `${randomUUID()}@example.com`, password: randomUUID() });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${origin}/api/v1/auth/sign-up`, { method: 'POST', headers, body });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
}

async function call(path, init = {}) {
  const answer = await fetch(origin + path, { ...init, headers: { cookie, ...init.headers } });
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  return answer;
}

async function generate(tool, pictures, texts) {
  const form = new FormData();
  for (const [field, name] of Object.entries(pictures))
    form.set(field, new Blob([readFileSync(join(samples, `${name}.jpg`))], { type: 'image/jpeg' }), `${name}.jpg`);
  for (const [field, text] of Object.entries(texts)) form.set(field, text);
  if (tool === 'headshot-generator') {
    const models = await (await call('/api/v1/headshot-models')).json();
    form.set('targetModelId', models.items[0].id);
  }
  const headers = { 'Idempotency-Key': randomUUID() };
  const path = `/api/v1/tools/${tool}/generations`;
  let made = await (await call(path, { method: 'POST', headers, body: form })).json();
  while (made.status === 'queued' || made.status === 'running') {
    await new Promise((done) => setTimeout(done, POLL_MS));
    made = await (await call(`/api/v1/generations/${made.id}`)).json();
  }
  if (made.result === null) throw new Error(`${tool}: ${JSON.stringify(made.error)}`);
  return made;
}
