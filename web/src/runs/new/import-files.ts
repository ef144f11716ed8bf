import { imageDimensionsFromStream } from 'image-dimensions';
import { RUN_MAX_ITEMS } from '@plinth/contract/runs';
import { isHeic, measurePicture, readPictureFile } from '../../platform/picture-file.ts';
import { formatCount } from '../../ui/format.ts';
import { FRESH } from '../photo-actions.ts';
import { NOT_STARTED, type Photo } from '../photos.ts';
import { readList } from './read-list.ts';

/** A file and its path, "mugs/red/m1.jpg". */
export type FoundFile = { file: File; path: string };

const NAMED = 3;

/** Adds every new photo while there is room, and the list among the files. Reports how many files are read. */
export async function importFiles(
  found: readonly FoundFile[],
  known: readonly Photo[],
  report: (reading: { read: number; all: number }) => void,
) {
  const typed: FoundFile[] = [];
  let photoCount = 0;
  // One after the other: a HEIC photo is decoded for it, unless there is no room left for it.
  const seen = found.filter(isSeen).sort(byPath);
  for (const { file, path } of seen) {
    report({ read: typed.length, all: seen.length });
    const isOver = isHeic(file) && photoCount >= RUN_MAX_ITEMS;
    const read = isOver ? file : await readPictureFile(file);
    typed.push({ file: read, path });
    if (isPhoto(read)) photoCount += 1;
  }
  const { photos: all, list, others } = sortFound(typed);
  const fresh = all.filter(({ file, path }) => !known.some((one) => one.path === path && one.bytes === file.size));
  const room = RUN_MAX_ITEMS - known.length;
  // One position for all, whichever header is read first, so the photos keep their order.
  const addedAt = Date.now();
  const taken = await Promise.all(
    fresh
      .slice(0, room)
      .map(async (one, place) => ({ photo: { ...(await toPhoto(one)), addedAt, place }, file: one.file })),
  );
  const rows = list === null ? null : await readList(list).catch(() => undefined);
  const notes: string[] = [];
  if (fresh.length > room)
    notes.push(`A catalogue has at most ${RUN_MAX_ITEMS} photos. ${sayLeftOut(fresh.slice(room))}.`);
  if (others.length > 0)
    notes.push(`${sayLeftOut(others.map((file) => ({ file })))}: only photos and one CSV list can be used here.`);
  if (rows === undefined) notes.push(`${list?.name} could not be read. Try it again.`);
  if (list !== null && rows === null)
    notes.push(`The first line of ${list.name} must name the columns: sku, file, prompt.`);
  if (rows && rows.length > RUN_MAX_ITEMS)
    notes.push(`The list has ${formatCount(rows.length)} lines, a catalogue at most ${RUN_MAX_ITEMS} photos.`);
  return {
    photos: taken.map(({ photo }) => photo),
    files: Object.fromEntries(taken.map(({ photo, file }) => [photo.id, file])),
    list: list === null || !rows ? null : { name: list.name, rows },
    notes,
  };
}

function sayLeftOut(files: readonly { file: File }[]): string {
  const names = files.slice(0, NAMED).map(({ file }) => file.name);
  const more = files.length - names.length;
  const last = more > 0 ? `${formatCount(more)} more` : names.length > 1 ? names.pop() : undefined;
  const all = names.join(', ') + (last === undefined ? '' : ` and ${last}`);
  return `${all} ${files.length === 1 ? 'was' : 'were'} left out`;
}

async function toPhoto({ file, path }: FoundFile): Promise<Omit<Photo, 'addedAt'>> {
  // Decoding five hundred photos would take too long: only those with an unreadable header are decoded.
  const head = await imageDimensionsFromStream(file.stream()).catch(() => undefined);
  const size = head ?? (await measurePicture(file).catch(() => null));
  return {
    ...FRESH,
    size: size && { width: size.width, height: size.height },
    id: crypto.randomUUID(),
    runId: NOT_STARTED,
    name: file.name,
    path,
    type: head === undefined ? file.type : `image/${head.type}`,
    bytes: file.size,
  };
}

const HIDDEN = /(^|\/)(\.|Thumbs\.db$|desktop\.ini$|__MACOSX\/)/;

/** True if the file was made by a person and not by a system. */
const isSeen = ({ path }: FoundFile): boolean => !HIDDEN.test(path);

function sortFound(seen: readonly FoundFile[]): { photos: FoundFile[]; list: File | null; others: File[] } {
  const photos = seen.filter(({ file }) => isPhoto(file));
  const lists = seen.filter(({ file }) => isList(file));
  const list = lists.findLast(({ file }) => isCsv(file)) ?? lists.at(-1);
  const others = seen.filter((one) => !photos.includes(one) && one !== list).map(({ file }) => file);
  return { photos, list: list?.file ?? null, others };
}

const byPath = (a: FoundFile, b: FoundFile) => a.path.localeCompare(b.path, 'en', { numeric: true });
const isPhoto = ({ type }: File) => type.startsWith('image/');
const isCsv = ({ name, type }: File) => type === 'text/csv' || /\.csv$/i.test(name);
/** Excel's "Unicode text" ends with .txt. */
const isList = (file: File) => isCsv(file) || /\.(tsv|txt)$/i.test(file.name);

export function listInputFiles(files: readonly File[]): FoundFile[] {
  return files.map((file) => ({ file, path: file.webkitRelativePath || file.name }));
}

/**
 * Returns the files of a drop, including those in folders. Read the transfer at once: the browser empties it after the
 * event.
 */
export async function listDroppedFiles({ items, files }: DataTransfer): Promise<FoundFile[]> {
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  if (entries.length === 0) return listInputFiles([...files]);
  return (await Promise.all(entries.map(readEntry))).flat();
}

async function readEntry(entry: FileSystemEntry): Promise<FoundFile[]> {
  const path = entry.fullPath.replace(/^\//, '');
  if (entry.isFile) {
    const read = new Promise<File>((done, failed) => (entry as FileSystemFileEntry).file(done, failed));
    return read.then(
      (file) => [{ file, path }],
      () => [], // An unreadable entry counts as missing.
    );
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: FoundFile[] = [];
  // Browsers return a hundred entries at a time.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((done) => reader.readEntries(done, () => done([])));
    if (some.length === 0) return found;
    for (const one of some) found.push(...(await readEntry(one)));
  }
}
