import { readFile, writeFile } from 'node:fs/promises';

const origin = 'https://plinth.example';
const headers = { authorization: `Bearer ${process.env.PLINTH_KEY}` };

const form = new FormData();
form.set('image', new Blob([await readFile('mug.jpg')], { type: 'image/jpeg' }), 'mug.jpg');
const asked = await fetch(`${origin}/api/v1/tools/remover/generations`, {
  method: 'POST',
  headers: { ...headers, 'idempotency-key': crypto.randomUUID() },
  body: form,
});
let generation = await asked.json();
if (!asked.ok) throw new Error(generation.detail);

while (generation.status === 'queued' || generation.status === 'running') {
  await new Promise((done) => setTimeout(done, 1000));
  const answer = await fetch(`${origin}/api/v1/generations/${generation.id}`, { headers });
  generation = await answer.json();
  if (!answer.ok) throw new Error(generation.detail);
}
// A failed generation is refunded automatically.
if (generation.status !== 'succeeded') throw new Error(generation.error.message);

const picture = await fetch(origin + generation.result.contentUrl, { headers });
await writeFile('mug.png', Buffer.from(await picture.arrayBuffer()));
