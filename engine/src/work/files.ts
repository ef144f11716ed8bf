import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { adoptDurably, findJson, isMissing, makePrivateFolder, writeDurably } from './durable.ts';
import { areAllParts, joinParts, keepPart, type Part } from './parts.ts';
import { isSame, newId } from '../secrets.ts';

/** Served pictures are public to whoever knows the id (128 random bits), like on fal's own file host. */
type FileRecord = {
  name: string;
  contentType: string;
  expiresAtMs: number;
  uploadToken?: string;
  /** The upload comes in parts; they lie in a folder of this name beside the record until it is complete. */
  isInParts?: true;
};

type UploadOptions = Pick<FileRecord, 'isInParts'> & { livesMs?: number | undefined };

export type StoredFile = {
  path: string;
  name: string;
  contentType: string;
  sizeBytes: number;
};

export type UploadAnswer = 'stored' | 'used' | 'unknown';

/** An upload address: whose it is and the token that proves it. */
export type Place = {
  id: string;
  token: string;
};

const SERVED_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/avif', 'image/gif', 'video/mp4'];
const HALF_MADE = '.new-';
const ID = /^[A-Za-z0-9_-]{22}$/;

/** Uploads and results, one folder each: file.json and the bytes in `content`. */
export class Files {
  private readonly root: string;
  private readonly ttlMs: number;
  private readonly clock: Clock;
  private readonly arriving = new Set<string>();

  constructor(root: string, ttlMs: number, clock: Clock) {
    this.root = root;
    this.ttlMs = ttlMs;
    this.clock = clock;
  }

  /** Reserves a place for an upload; the token in its upload address is good for one file, whole or in parts. */
  async beginUpload(name: string, contentType: string, options: UploadOptions = {}): Promise<Place & { name: string }> {
    const token = newId();
    const { livesMs, ...kind } = options;
    const record = { ...this.newRecord(name, contentType, livesMs), uploadToken: token, ...kind };
    const id = await this.addRecord(record);
    return { id, token, name: record.name };
  }

  async finishUpload(place: Place, bytesPath: string): Promise<UploadAnswer> {
    const record = await this.findUpload(place, false);
    return typeof record === 'string' ? record : this.adopt(place.id, record, bytesPath);
  }

  /** Keeps one part of an upload and returns its tag. */
  async addPart(place: Place, partNumber: number, bytesPath: string): Promise<{ etag: string } | 'used' | 'unknown'> {
    const record = await this.findUpload(place, true);
    if (typeof record === 'string') return record;
    return { etag: await keepPart(this.pathOf(place.id, 'parts'), partNumber, bytesPath) };
  }

  /** Makes the file of its parts; `mismatch` when the list is not exactly what arrived, in order. */
  async completeUpload(place: Place, parts: Part[], draftPath: string): Promise<UploadAnswer | 'mismatch'> {
    const record = await this.findUpload(place, true);
    if (typeof record === 'string') return record;
    this.arriving.add(place.id);
    try {
      if (!(await areAllParts(this.pathOf(place.id, 'parts'), parts))) return 'mismatch';
      await joinParts(this.pathOf(place.id, 'parts'), parts, draftPath);
    } finally {
      this.arriving.delete(place.id);
    }
    const answer = await this.adopt(place.id, record, draftPath);
    await rm(this.pathOf(place.id, 'parts'), { recursive: true, force: true });
    return answer;
  }

  /** Takes over a finished result file and returns its path on the wire. */
  async addResult(fromPath: string, name: string, contentType: string, livesMs?: number): Promise<string> {
    const record = this.newRecord(name, contentType, livesMs);
    const id = await this.addRecord(record);
    await adoptDurably(fromPath, this.pathOf(id, 'content'));
    return `/files/${id}/${record.name}`;
  }

  async findFile(id: string, name: string): Promise<StoredFile | undefined> {
    const record = await this.findRecord(id);
    if (!record || record.name !== name) return undefined;
    try {
      const path = this.pathOf(id, 'content');
      return { path, name, contentType: record.contentType, sizeBytes: (await stat(path)).size };
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  /** At start-up nothing is in the making: what a crash left half-made goes. */
  async open(): Promise<void> {
    await makePrivateFolder(this.root);
    for (const id of await readdir(this.root)) {
      if (id.startsWith(HALF_MADE)) await rm(join(this.root, id), { recursive: true, force: true });
    }
  }

  async deleteExpired(): Promise<void> {
    for (const id of await readdir(this.root)) {
      if (id.startsWith(HALF_MADE) || (await this.findRecord(id))) continue;
      await rm(join(this.root, id), { recursive: true, force: true });
    }
  }

  /** The record of an upload that may still come; `used` is also an address of the other kind. */
  private async findUpload({ id, token }: Place, isInParts: boolean): Promise<FileRecord | 'used' | 'unknown'> {
    const record = await this.findRecord(id);
    if (!record) return 'unknown';
    const isOpen = record.uploadToken !== undefined && isSame(record.uploadToken, token);
    return isOpen && Boolean(record.isInParts) === isInParts && !this.arriving.has(id) ? record : 'used';
  }

  private async adopt(id: string, record: FileRecord, bytesPath: string): Promise<UploadAnswer> {
    if (this.arriving.has(id)) return 'used';
    this.arriving.add(id);
    try {
      const kept: FileRecord = { name: record.name, contentType: record.contentType, expiresAtMs: record.expiresAtMs };
      await adoptDurably(bytesPath, this.pathOf(id, 'content'));
      await writeDurably(this.pathOf(id, 'file.json'), JSON.stringify(kept));
    } finally {
      this.arriving.delete(id);
    }
    return 'stored';
  }

  private newRecord(name: string, contentType: string, livesMs = this.ttlMs): FileRecord {
    return {
      name: safeName(name),
      contentType: SERVED_TYPES.includes(contentType) ? contentType : 'application/octet-stream',
      expiresAtMs: this.clock() + Math.min(livesMs, this.ttlMs),
    };
  }

  private async addRecord(record: FileRecord): Promise<string> {
    const id = newId();
    // Made under another name first: a purge passing by would take a folder without a record for an expired one.
    const half = join(this.root, `${HALF_MADE}${id}`);
    await makePrivateFolder(half);
    await writeDurably(join(half, 'file.json'), JSON.stringify(record));
    await rename(half, join(this.root, id));
    return id;
  }

  private async findRecord(id: string): Promise<FileRecord | undefined> {
    if (!ID.test(id)) return undefined;
    const record = (await findJson(this.pathOf(id, 'file.json'))) as FileRecord | undefined;
    return record && record.expiresAtMs > this.clock() ? record : undefined;
  }

  private pathOf(id: string, what: 'file.json' | 'parts' | 'content'): string {
    return join(this.root, id, what);
  }
}

function safeName(name: string): string {
  const cleaned = name
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .slice(-80)
    .replace(/^[.-]+/, '');
  return cleaned === '' ? 'file' : cleaned;
}
