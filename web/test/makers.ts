import { sessionSchema, type Session } from '@plinth/contract/auth';
import { generationSchema, type Generation } from '@plinth/contract/generations';
import { mediaSchema, mediaUrls, type Media } from '@plinth/contract/media';
import { runItemSchema, runSchema, type Run, type RunItem } from '@plinth/contract/runs';

const NOW = '2026-11-21T10:00:00.000Z';

export function makeSession(part: Partial<Session> = {}): Session {
  return sessionSchema.parse({
    user: { id: 'usr_1', email: 'ann@example.com', displayName: 'ann', hasPassword: true, providers: ['password'] },
    credits: 10,
    expiresAt: '2026-11-21T11:00:00.000Z',
    ...part,
  });
}

export function makeGeneration(part: Partial<Generation> = {}): Generation {
  return generationSchema.parse({
    id: 'gen_1',
    tool: 'text-to-image',
    status: 'queued',
    cost: 1,
    progress: { message: 'Generating product mockup...', percent: null },
    cancelRequested: false,
    result: null,
    error: null,
    refunded: false,
    redoOf: null,
    redosLeft: 3,
    returned: false,
    input: { prompt: 'on a stone block' },
    createdAt: NOW,
    startedAt: null,
    finishedAt: null,
    ...part,
  });
}

export function makeMedia(part: Partial<Media> = {}): Media {
  const id = part.id ?? 'med_1';
  return mediaSchema.parse({
    id,
    mediaType: 'product_image',
    contentType: 'image/png',
    bytes: 482_113,
    width: 1024,
    height: 1024,
    originalFilename: 'product-shot-1772600000000.png',
    generationId: 'gen_1',
    tool: 'text-to-image',
    input: { prompt: 'on a stone block' },
    photoName: 'mug.jpg',
    createdAt: NOW,
    expiresAt: '2026-11-23T10:00:00.000Z',
    ...mediaUrls(id, part.contentType ?? 'image/png'),
    ...part,
  });
}

export function makeResult(): NonNullable<Generation['result']> {
  const { id, mediaType, contentType, contentUrl, downloadUrl, originalFilename } = makeMedia();
  return { mediaId: id, mediaType, contentType, contentUrl, downloadUrl, originalFilename };
}

export function makeRun(part: Partial<Run> = {}): Run {
  return runSchema.parse({
    id: 'run_1',
    name: 'Autumn mugs',
    tool: 'remover',
    fields: {},
    packs: [],
    look: null,
    status: 'open',
    incomplete: 0,
    counts: { total: 2, queued: 2, running: 0, succeeded: 0, failed: 0, canceled: 0 },
    credits: { spent: 2, returned: 0 },
    createdAt: NOW,
    finishedAt: null,
    ...part,
  });
}

export function makeRunItem(part: Partial<RunItem> = {}): RunItem {
  return runItemSchema.parse({
    id: 'itm_1',
    sku: 'M-01',
    filename: 'm1.jpg',
    heightCm: null,
    asin: null,
    ean: null,
    role: null,
    handle: null,
    alt: '',
    generation: makeGeneration({ tool: 'remover', input: {}, runId: 'run_1' }),
    missingFiles: [],
    ...part,
  });
}
