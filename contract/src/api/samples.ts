/** First API call in three languages: uploads a photo and fetches its cut-out. `origin` has no trailing slash. */
export const SAMPLE_LANGUAGES = ['curl', 'TypeScript', 'Python'] as const;
export type SampleLanguage = (typeof SAMPLE_LANGUAGES)[number];

export const firstCalls: Record<SampleLanguage, (origin: string) => string> = {
  curl: (origin) => `# 1. Send a photo. The answer names the generation.
curl ${origin}/api/v1/tools/remover/generations \\
  -H "Authorization: Bearer $PLINTH_KEY" \\
  -H "Idempotency-Key: $(openssl rand -hex 16)" \\
  -F image=@mug.jpg

# 2. Ask how it stands, until its status is "succeeded".
curl ${origin}/api/v1/generations/$GENERATION \\
  -H "Authorization: Bearer $PLINTH_KEY"

# 3. Fetch the picture from the "contentUrl" of its result.
curl ${origin}$CONTENT_URL -o mug.png \\
  -H "Authorization: Bearer $PLINTH_KEY"
`,
  TypeScript: (origin) => `import { readFile, writeFile } from 'node:fs/promises';

const origin = '${origin}';
const headers = { authorization: \`Bearer \${process.env.PLINTH_KEY}\` };

const form = new FormData();
form.set('image', new Blob([await readFile('mug.jpg')], { type: 'image/jpeg' }), 'mug.jpg');
const asked = await fetch(\`\${origin}/api/v1/tools/remover/generations\`, {
  method: 'POST',
  headers: { ...headers, 'idempotency-key': crypto.randomUUID() },
  body: form,
});
let generation = await asked.json();
if (!asked.ok) throw new Error(generation.detail);

while (generation.status === 'queued' || generation.status === 'running') {
  await new Promise((done) => setTimeout(done, 1000));
  const answer = await fetch(\`\${origin}/api/v1/generations/\${generation.id}\`, { headers });
  generation = await answer.json();
}
// What fails gives its credits back by itself.
if (generation.status !== 'succeeded') throw new Error(generation.error.message);

const picture = await fetch(origin + generation.result.contentUrl, { headers });
await writeFile('mug.png', Buffer.from(await picture.arrayBuffer()));
`,
  Python: (origin) => `import os, time, uuid
import requests

origin = "${origin}"
headers = {"Authorization": f"Bearer {os.environ['PLINTH_KEY']}"}

with open("mug.jpg", "rb") as photo:
    asked = requests.post(
        f"{origin}/api/v1/tools/remover/generations",
        headers={**headers, "Idempotency-Key": str(uuid.uuid4())},
        files={"image": ("mug.jpg", photo, "image/jpeg")},
    )
generation = asked.json()
if not asked.ok:
    raise RuntimeError(generation["detail"])

while generation["status"] in ("queued", "running"):
    time.sleep(1)
    generation = requests.get(f"{origin}/api/v1/generations/{generation['id']}", headers=headers).json()
# What fails gives its credits back by itself.
if generation["status"] != "succeeded":
    raise RuntimeError(generation["error"]["message"])

picture = requests.get(origin + generation["result"]["contentUrl"], headers=headers)
with open("mug.png", "wb") as file:
    file.write(picture.content)
`,
};

/** Sample code by which a receiver verifies a webhook message. It needs Web Crypto only. */
export const webhookCheck = `// Whether a message comes from Plinth: signed with the secret of your endpoint, at most five minutes old.
// The body as it came, before anything parses it.
export async function isFromPlinth(headers: Headers, body: string, secret: string): Promise<boolean> {
  const id = headers.get('webhook-id');
  const time = headers.get('webhook-timestamp');
  if (Math.abs(Date.now() / 1000 - Number(time)) > 300) return false;
  const read = (base64: string) => Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  const how = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', read(secret.replace('whsec_', '')), how, false, ['verify']);
  const signed = new TextEncoder().encode([id, time, body].join('.'));
  for (const one of (headers.get('webhook-signature') ?? '').split(' ')) {
    if (!/^v1,[A-Za-z0-9+/]{43}=$/.test(one)) continue;
    if (await crypto.subtle.verify('HMAC', key, read(one.slice(3)), signed)) return true;
  }
  return false;
}
`;

/** Returns the MCP client configuration for this server. `origin` has no trailing slash. */
export const agentSettings = (origin: string): string =>
  JSON.stringify(
    { mcpServers: { plinth: { type: 'http', url: `${origin}/mcp`, headers: { Authorization: 'Bearer plk_…' } } } },
    null,
    2,
  );
