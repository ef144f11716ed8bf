import { useEffect, useEffectEvent } from 'react';
import { createKeptStore } from '../../platform/kept-store.ts';
import { LANGUAGE } from '../../platform/language.ts';
import type { Found } from '../upload/collect-files.ts';
import { applyList, type ListRow } from './match-list.ts';
import { NOT_BEGUN, type Photo } from '../photos.ts';
import { FRESH_FORM, readKeptForm, type RunForm } from '../run-form.ts';
import { takeFound, type Taken } from './take-found.ts';
import { useUploads } from '../upload/useUploads.ts';

/** A catalogue that has not begun. */
export type NewRun = {
  form: RunForm;
  photos: readonly Photo[];
  /** Bytes that this page has at hand; those of an earlier page are read from the browser's store. */
  files: ReadonlyMap<string, Blob>;
  list: { name: string; rows: readonly ListRow[] } | null;
  notes: readonly string[];
};

const EMPTY = { photos: [], files: new Map(), list: null, notes: [] } satisfies Omit<NewRun, 'form'>;

/** `isRead`: its form; `hasPhotos`: whether its photos were read, too. */
type Begun = NewRun & { isRead: boolean; hasPhotos: boolean };

const useBegun = createKeptStore<Begun>({
  name: 'catalogue',
  initial: { ...EMPTY, form: FRESH_FORM, isRead: false, hasPhotos: false },
  split: ({ form }) => new Map(form === FRESH_FORM ? [] : [['form', form]]),
  join: (begun, kept) => ({
    ...begun,
    form: begun.form === FRESH_FORM ? (readKeptForm(kept.get('form')) ?? FRESH_FORM) : begun.form,
  }),
  afterSession: (begun) => begun,
  isLasting: () => true,
});

/** It outlives its screen and its page, so that a checkout or a reload takes nothing away. */
export function useNewRun() {
  const { store } = useUploads();
  const run: Begun = useBegun();
  const change = (part: (run: NewRun) => Partial<NewRun>) => useBegun.setState(part);

  const takeUp = useEffectEvent(async () => {
    useBegun.setState({ hasPhotos: true });
    const kept = (await store.list().catch(() => [])).filter(({ runId }) => runId === NOT_BEGUN);
    if (kept.length > 0) change(({ photos }) => ({ photos: [...kept, ...photos] }));
  });
  useEffect(() => {
    if (!run.hasPhotos) void takeUp();
  }, [run.hasPhotos]);

  const add = async (found: readonly Found[]) => {
    const taken = await takeFound(found, run.photos);
    let photos: readonly Photo[] = [];
    change((now) => {
      const next = join(now, taken);
      photos = next.photos;
      return next;
    });
    await store.keep(photos).catch(() => undefined); // Private windows keep nothing; then this page must stay.
    for (const [photoId, file] of taken.files) await store.keepFile(photoId, file).catch(() => undefined);
  };

  return {
    run,
    add,
    setForm: (part: Partial<RunForm>) => change(({ form }) => ({ form: { ...form, ...part } })),
    setPhoto: (photo: Photo, part: Pick<Partial<Photo>, 'sku' | 'words'>) => {
      const next = { ...photo, ...part };
      change(({ photos }) => ({ photos: photos.map((one) => (one.id === photo.id ? next : one)) }));
      void store.keep([next]).catch(() => undefined);
    },
    leaveOut: (ids: readonly string[]) => {
      change(({ photos }) => ({ photos: photos.filter(({ id }) => !ids.includes(id)), notes: [] }));
      void store.drop(ids).catch(() => undefined);
    },
    removeList: () => {
      const photos = applyList([], run.photos, null);
      change(() => ({ list: null, photos }));
      void store.keep(photos).catch(() => undefined);
    },
    finish: () => {
      // The next catalogue is often like the last: only its name is another.
      change(({ form }) => ({ ...EMPTY, form: { ...form, name: '' } }));
    },
  };
}

function join({ photos, files, list, form }: NewRun, taken: Taken): NewRun {
  const joined = [...photos, ...taken.photos];
  const next = taken.list ?? list;
  // What a person wrote is not written over again when more photos come.
  const only = taken.list === null ? new Set(taken.photos.map(({ id }) => id)) : null;
  return {
    form: form.name === '' && joined.length > 0 ? { ...form, name: nameFor(joined) } : form,
    photos: next === null ? joined : applyList(next.rows, joined, only),
    files: new Map([...files, ...taken.files]),
    list: next,
    notes: taken.notes,
  };
}

function nameFor(photos: readonly Photo[]): string {
  const folder = photos.map(({ path }) => path.split('/')).find((parts) => parts.length > 1)?.[0];
  return (
    folder ?? `Catalogue, ${new Intl.DateTimeFormat(LANGUAGE, { month: 'long', day: 'numeric' }).format(Date.now())}`
  );
}
