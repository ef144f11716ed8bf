import { setTimeout as sleep } from 'node:timers/promises';
import { Readable } from 'node:stream';
import { isPackId, type PackId } from '@plinth/contract/pack-names';
import { packs as packFigures } from '@plinth/contract/packs';
import type { RunItem } from '@plinth/contract/runs';
import { costOf } from '@plinth/contract/tool-fields';
import { getTool, type ViewSettings } from '../generations/generation-view.ts';
import { getNamedMedia, type NamedMedia } from '../media/library.ts';
import { findRuleBehind, measureProduct, type Packs, renderPackFile } from '../packs/packs.ts';
import { AppError } from '../platform/errors.ts';
import { type AddFile, streamZip } from '../platform/zip.ts';
import { makeFileNames, makeFolderNames } from './names.ts';
import { type ReportLine, writeReport } from './report.ts';
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
    const items = await readItems(db, settings, run.id);
    const rule = await makeRuler(packs, run, items);
    for (const item of items) {
      const folder = nameFolder(item);
      const media = await findResult(packs, run.userId, item);
      const made = media && (await addResult(packs, { run, item, media, folder, rule }, add));
      lines.push({ item, packs: made?.outcomes ?? new Map<string, string>(), notes: made?.notes ?? [] });
    }
    const report = writeReport(lines, run.packs, costOf(getTool(run.tool), run.fields));
    await add(Readable.from([report]), 'report.csv', true);
  });
}

/** How much of its place an item fills in a pack's file, so that all of a catalogue share one scale. */
type Ruler = (item: RunItem, pack: PackId) => number;

const fillsAll: Ruler = () => 1;

/** One scale for all items with a height: none is cut, and the one that needs most of its place fills it. */
async function makeRuler(packs: Packs, run: RunRow, items: RunItem[]): Promise<Ruler> {
  const { look } = run;
  if (look?.scale !== 'height') return fillsAll;
  const measured: { item: RunItem; product: Product; heightCm: number }[] = [];
  for (const item of items) {
    const { heightCm } = item;
    const media = heightCm === null ? undefined : await findResult(packs, run.userId, item);
    const product = media && (await whenFree(() => measureProduct(packs, media)));
    if (heightCm !== null && product !== undefined) measured.push({ item, product, heightCm });
  }
  const { top, right, bottom, left } = look.margin;
  return (item, pack) => {
    const { width, height } = packFigures[pack].picture;
    if (width === null) return 1;
    // Centimetres that fill the place of the frame, for each of them.
    const cmOf = ({ product, heightCm }: { product: Product; heightCm: number }) => {
      const scale = Math.min(
        ((1 - left - right) * width) / product.width,
        ((1 - top - bottom) * height) / product.height,
      );
      return heightCm / (product.height * scale);
    };
    const own = measured.find((one) => one.item.id === item.id);
    if (own === undefined) return 1;
    return cmOf(own) / Math.max(...measured.map(cmOf));
  };
}

type Product = { width: number; height: number };

/** The item's result; undefined where there is none, or none any more. */
async function findResult({ library }: Packs, userId: string, item: RunItem): Promise<NamedMedia | undefined> {
  const mediaId = item.generation.result?.mediaId;
  if (mediaId === undefined) return undefined;
  return getNamedMedia(library, userId, mediaId).catch(unlessGone);
}

function unlessGone(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'not_found') return undefined;
  throw error;
}

type Adding = { run: RunRow; item: RunItem; media: NamedMedia; folder: string; rule: Ruler };

/** Adds the result and its files for the packs; returns per pack `ready` or the rule that fails, and what to note. */
async function addResult(
  packs: Packs,
  { run, item, media, folder, rule }: Adding,
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
    const asked = { look: run.look, share: rule(item, pack) };
    const made = await whenFree(() => renderPackFile(packs, media, pack, asked)).catch((error: unknown) => {
      const failed = findRuleBehind(error, pack);
      if (failed === undefined) throw error;
      return failed;
    });
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

/** Whoever reads an archive waits while others use up the memory for pictures. */
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
