/** A file and where it lay, "mugs/red/m1.jpg". */
export type Found = { file: File; path: string };

const HIDDEN = /(^|\/)(\.|Thumbs\.db$|desktop\.ini$|__MACOSX\/)/;

/** Whether it was made by a person and not by a system. */
export const isSeen = ({ path }: Found): boolean => !HIDDEN.test(path);

export function sortFound(seen: readonly Found[]): { photos: Found[]; list: File | null; others: File[] } {
  const photos = seen.filter(({ file }) => file.type.startsWith('image/'));
  const lists = seen.filter(({ file }) => isList(file));
  const others = seen.filter((one) => !photos.includes(one) && !lists.includes(one)).map(({ file }) => file);
  photos.sort((a, b) => a.path.localeCompare(b.path, 'en', { numeric: true }));
  const list = lists.findLast(({ file }) => isCsv(file)) ?? lists.at(-1);
  return { photos, list: list?.file ?? null, others };
}

const isCsv = ({ name, type }: File) => type === 'text/csv' || /\.csv$/i.test(name);
/** What Excel calls Unicode text ends with .txt. */
const isList = (file: File) => isCsv(file) || /\.(tsv|txt)$/i.test(file.name);

export function listChosen(files: readonly File[]): Found[] {
  return files.map((file) => ({ file, path: file.webkitRelativePath || file.name }));
}

/** The files of a drop, also those in folders. Read the transfer at once: the browser empties it after the event. */
export async function listDropped({ items, files }: DataTransfer): Promise<Found[]> {
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  if (entries.length === 0) return listChosen([...files]);
  return (await Promise.all(entries.map(readEntry))).flat();
}

async function readEntry(entry: FileSystemEntry): Promise<Found[]> {
  const path = entry.fullPath.replace(/^\//, '');
  if (entry.isFile) {
    const read = new Promise<File>((done, failed) => (entry as FileSystemFileEntry).file(done, failed));
    return read.then(
      (file) => [{ file, path }],
      () => [], // What cannot be read is not there.
    );
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: Found[] = [];
  // Browsers hand out a hundred at a time.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((done) => reader.readEntries(done, () => done([])));
    if (some.length === 0) return found;
    for (const one of some) found.push(...(await readEntry(one)));
  }
}
