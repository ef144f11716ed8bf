import { setTimeout as sleep } from 'node:timers/promises';
import { Readable } from 'node:stream';
import { isPackId, type PackId } from '@plinth/contract/packs';
import type { RunItem } from '@plinth/contract/runs';
import { costOf } from '@plinth/contract/tool-fields';
import { getTool, type ViewSettings } from '../generations/generation-view.ts';
import { getMedia, type MediaRow } from '../media/library.ts';
import { findRuleBehind, type PackFile, type Packs, renderPackFile } from '../packs/packs.ts';
import { AppError } from '../platform/errors.ts';
import { type AddFile, streamZip } from '../platform/zip.ts';
import { makeFolderNames, type ReportLine, writeReport } from './report.ts';
import { readItems, type RunRow } from './run-view.ts';

/**
 * A ZIP of what a run has brought so far: a folder per item with its result and one file per pack, and a report of all
 * items. Made as it is read: one result is held at a time. Breaks off when the storage does.
 */
export function makeArchive(packs: Packs, settings: ViewSettings, run: RunRow): Readable {
  const { db, clock } = packs.library;
  return streamZip(clock, async (add) => {
    const nameFolder = makeFolderNames();
    const lines: ReportLine[] = [];
    for (const item of await readItems(db, settings, run.id)) {
      const folder = nameFolder(item);
      const media = await findResult(packs, run.userId, item);
      const outcomes = media && (await addResult(packs, run, media, folder, add));
      lines.push({ item, packs: outcomes ?? new Map<string, string>() });
    }
    const report = writeReport(lines, run.packs, costOf(getTool(run.tool), run.fields));
    await add(Readable.from([report]), 'report.csv', true);
  });
}

/** The item's result; undefined where there is none, or none any more. */
async function findResult({ library }: Packs, userId: string, item: RunItem): Promise<MediaRow | undefined> {
  const mediaId = item.generation.result?.mediaId;
  if (mediaId === undefined) return undefined;
  return getMedia(library, userId, mediaId).catch(unlessGone);
}

function unlessGone(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'not_found') return undefined;
  throw error;
}

/** Adds the result and its files for the packs; returns per pack `ready` or the rule that fails. */
async function addResult(
  packs: Packs,
  run: RunRow,
  media: MediaRow,
  folder: string,
  add: AddFile,
): Promise<Map<string, string>> {
  const outcomes = new Map<string, string>();
  const content = await packs.library.storage.read(media.key);
  if (content === undefined) return outcomes;
  await add(content, `${folder}/${media.originalFilename}`, false);
  for (const pack of run.packs.filter(isPackId)) {
    const made = await makePackFile(packs, media, pack);
    if (typeof made === 'object') await add(Readable.from([made.content]), `${folder}/${made.filename}`, false);
    outcomes.set(pack, typeof made === 'object' ? 'ready' : made);
  }
  return outcomes;
}

const FULL_RETRY_MS = 1000;
const FULL_TRIES = 60;

/**
 * The pack's file, or the rule that fails. Whoever reads an archive waits while others use up the memory for pictures.
 */
async function makePackFile(packs: Packs, media: MediaRow, pack: PackId): Promise<PackFile | string> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await renderPackFile(packs, media, pack);
    } catch (error) {
      const rule = findRuleBehind(error, pack);
      if (rule !== undefined) return rule;
      const isFull = error instanceof AppError && error.code === 'temporarily_unavailable';
      if (!isFull || attempt >= FULL_TRIES) throw error;
      await sleep(FULL_RETRY_MS);
    }
  }
}
