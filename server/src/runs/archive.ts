import { setTimeout as sleep } from 'node:timers/promises';
import { Readable } from 'node:stream';
import { isPackId, type PackId } from '@plinth/contract/pack-names';
import type { PackSubject } from '@plinth/contract/packs';
import type { RunItem } from '@plinth/contract/runs';
import { getTool, type ViewSettings } from '../generations/generation-view.ts';
import { getMedia, type MediaRow } from '../media/library.ts';
import { findBrokenRule, measureMedia, type Packs, renderFile } from '../packs/packs.ts';
import Papa from 'papaparse';
import { AppError } from '../platform/errors.ts';
import { type AddFile, streamZip } from '../platform/zip.ts';
import { makeFileNames, makeFolderNames } from './names.ts';
import { makeRuler, type MeasuredItem } from './ruler.ts';
import { readCosts, readItems, readMeasured, type RunRow } from './run-view.ts';

/** A ZIP of a run: a folder per item with its result and pack files, and a report. Holds one result in memory. */
export function makeArchive(packs: Packs, settings: ViewSettings, run: RunRow): Readable {
  const { db, clock } = packs.library;
  return streamZip(clock, async (add) => {
    const nameFolder = makeFolderNames();
    const lines: ReportLine[] = [];
    const items = await readItems(db, settings, run.id);
    const costs = await readCosts(db, run.id);
    const share = await shareScale(packs, run, items);
    for (const item of items) {
      const folder = nameFolder(item);
      const media = await findResult(packs, run.userId, item);
      const made = media && (await addResult(packs, { run, item, media, folder, share }, add));
      lines.push({
        item,
        cost: costs.get(item.id) ?? 0,
        packs: made?.outcomes ?? new Map<string, string>(),
        notes: made?.notes ?? [],
      });
    }
    await add(Readable.from([writeReport(lines, run.packs)]), 'report.csv', true);
  });
}

type Share = (item: RunItem, pack: PackId) => number;

async function shareScale(packs: Packs, run: RunRow, items: RunItem[]): Promise<Share> {
  const measured: MeasuredItem[] = [];
  for (const item of (await readMeasured(packs.library.db, [run])).get(run.id) ?? []) {
    const subject =
      item.subject ??
      (await measureNow(
        packs,
        run,
        items.find(({ id }) => id === item.id),
      ));
    measured.push({ ...item, subject });
  }
  const rulers = new Map(run.packs.filter(isPackId).map((pack) => [pack, makeRuler(run.look, measured, pack)]));
  return ({ id }, pack) => rulers.get(pack)?.(id) ?? 1;
}

/** Measures a result that was not measured when it was made; null if it is gone. */
async function measureNow(packs: Packs, run: RunRow, item: RunItem | undefined): Promise<PackSubject | null> {
  const media = item && (await findResult(packs, run.userId, item));
  return (media && (await whenFree(() => measureMedia(packs, media)).catch(unlessGone))) ?? null;
}

/** The item's result; undefined if there is none or it is gone. */
async function findResult({ library }: Packs, userId: string, item: RunItem): Promise<MediaRow | undefined> {
  const mediaId = item.generation.result?.mediaId;
  if (mediaId === undefined) return undefined;
  return getMedia(library, userId, mediaId).catch(unlessGone);
}

function unlessGone(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'not_found') return undefined;
  throw error;
}

type Adding = { run: RunRow; item: RunItem; media: MediaRow; folder: string; share: Share };

/** Adds the result and its pack files. Returns `ready` or the failing rule per pack, and notes. */
async function addResult(
  packs: Packs,
  { run, item, media, folder, share }: Adding,
  add: AddFile,
): Promise<{ outcomes: Map<string, string>; notes: string[] }> {
  const outcomes = new Map<string, string>();
  const notes: string[] = [];
  const content = await packs.library.storage.read(media.key);
  if (content === undefined) return { outcomes, notes };
  const names = makeFileNames(item);
  await add(content, `${folder}/${names.result(getTool(run.tool).file.type)}`, false);
  if (run.look?.scale === 'height' && item.heightCm === null) notes.push('no height: it fills its frame');
  for (const pack of run.packs.filter(isPackId)) {
    const request = { pack, look: run.look, share: share(item, pack) };
    const made = await whenFree(() => renderFile(packs, media, request)).catch((error: unknown) => {
      return findBrokenRule(error, pack) ?? unlessGone(error);
    });
    // Deleted or expired since the archive began.
    if (made === undefined) break;
    outcomes.set(pack, typeof made === 'object' ? 'ready' : made);
    if (typeof made !== 'object') continue;
    const ending = made.contentType === 'image/png' ? 'png' : 'jpg';
    await add(Readable.from([made.content]), `${folder}/${names.pack(pack, ending)}`, false);
    if (run.look !== null && made.look === 'partly') notes.push(`${pack}: its rules allow a part of the look`);
  }
  return { outcomes, notes };
}

const FULL_RETRY_MS = 1000;
const FULL_TRIES = 60;

/** An archive waits while the memory for pictures is in use. */
async function whenFree<Made>(make: () => Promise<Made>): Promise<Made> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await make();
    } catch (error) {
      const isFull = error instanceof AppError && error.code === 'temporarily_unavailable';
      if (!isFull || attempt >= FULL_TRIES) throw error;
      await sleep(FULL_RETRY_MS);
    }
  }
}

/** An item with its cost in credits, and `ready` or the failing rule per pack. */
type ReportLine = { item: RunItem; cost: number; packs: Map<string, string>; notes: string[] };

const COLUMNS = ['sku', 'file', 'status', 'code', 'message', 'credits', 'seconds'];

/** CSV (RFC 4180) with a BOM; formulas are escaped. */
export function writeReport(lines: ReportLine[], packs: string[]): string {
  const data = lines.map((line) => [
    ...describeItem(line),
    ...packs.map((pack) => line.packs.get(pack) ?? ''),
    line.item.alt,
    line.notes.join('; '),
  ]);
  const text = Papa.unparse({ fields: [...COLUMNS, ...packs, 'alt', 'note'], data }, { escapeFormulae: true });
  return `\uFEFF${text.replace(/(\r\n)*$/, '\r\n')}`;
}

function describeItem({ item: { sku, filename, generation }, cost }: ReportLine): (string | number)[] {
  const { status, error, refunded, startedAt, finishedAt } = generation;
  const isTimed = startedAt !== null && finishedAt !== null;
  const seconds = isTimed ? ((Date.parse(finishedAt) - Date.parse(startedAt)) / 1000).toFixed(1) : '';
  return [sku ?? '', filename ?? '', status, error?.code ?? '', error?.message ?? '', refunded ? 0 : cost, seconds];
}
