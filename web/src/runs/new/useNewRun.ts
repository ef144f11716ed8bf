import { createPersistentStore } from '../../platform/storage/persistent-store.ts';
import { LANGUAGE } from '../../platform/language.ts';
import { applyList, type PhotoList } from './match-list.ts';
import { dropPhotos, photosOf, putPhotos, usePhotosOf } from '../photo-actions.ts';
import { NOT_STARTED, type Photo } from '../photos.ts';
import { FRESH_FORM, type RunForm } from '../run-form.ts';
import { importFiles, type FoundFile } from './import-files.ts';

/** Typed texts expire after 48 hours. */
const CHOSEN: readonly string[] = ['tool', 'packs', 'lookId'] satisfies (keyof RunForm)[];

type NewRun = {
  form: RunForm;
  list: PhotoList | null;
  notes: readonly string[];
  /** Files that are read, of those added last; null when all are. */
  reading: { read: number; all: number } | null;
  isRead: boolean;
};

const useNewRunStore = createPersistentStore<NewRun>({
  name: 'catalogue',
  initial: { form: FRESH_FORM, list: null, notes: [], reading: null, isRead: false },
  split: ({ form }) => new Map(form === FRESH_FORM ? [] : Object.entries(form)),
  join: (run, stored) => ({
    ...run,
    form: run.form === FRESH_FORM && stored.size > 0 ? { ...FRESH_FORM, ...Object.fromEntries(stored) } : run.form,
  }),
  isPermanent: (field) => CHOSEN.includes(field),
});

/** Outlives its screen and its page, so a checkout or a reload loses nothing. */
export function useNewRun() {
  const { form, list, notes, reading } = useNewRunStore();
  return { form, list, notes, reading, photos: usePhotosOf(NOT_STARTED) };
}

export function setForm(part: Partial<RunForm>): void {
  useNewRunStore.setState(({ form }) => ({ form: { ...form, ...part } }));
}

export function leaveOut(ids: readonly string[]): void {
  dropPhotos(ids);
  useNewRunStore.setState({ notes: [] });
}

export function removeList(): void {
  putPhotos(applyList([], photosOf(NOT_STARTED), null));
  useNewRunStore.setState({ list: null });
}

/** The next catalogue is often like the last: only the name is reset. */
export function beginNext(): void {
  setForm({ name: '' });
  useNewRunStore.setState({ list: null, notes: [] });
}

let last = Promise.resolve();

/** One after the other: a file added twice at once would not be recognised as a duplicate. */
export function addFiles(found: readonly FoundFile[]): Promise<void> {
  last = last.catch(() => undefined).then(() => addNext(found));
  return last;
}

async function addNext(found: readonly FoundFile[]): Promise<void> {
  const report = (reading: NewRun['reading']) => useNewRunStore.setState({ reading });
  const taken = await importFiles(found, photosOf(NOT_STARTED), report).finally(() =>
    useNewRunStore.setState({ reading: null }),
  );
  const { form, list: before } = useNewRunStore.getState();
  const photos = [...photosOf(NOT_STARTED), ...taken.photos];
  const list = taken.list ?? before;
  // Text typed by the user is not overwritten when more photos arrive.
  const only = taken.list === null ? new Set(taken.photos.map(({ id }) => id)) : null;
  putPhotos(list === null ? taken.photos : applyList(list.rows, photos, only), taken.files);
  useNewRunStore.setState({ list, notes: taken.notes });
  if (form.name === '' && photos.length > 0) setForm({ name: nameFor(photos) });
}

function nameFor(photos: readonly Photo[]): string {
  const folder = photos.map(({ path }) => path.split('/')).find((parts) => parts.length > 1)?.[0];
  return (
    folder ?? `Catalogue, ${new Intl.DateTimeFormat(LANGUAGE, { month: 'long', day: 'numeric' }).format(Date.now())}`
  );
}
