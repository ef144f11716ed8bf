import { type RefObject, type SubmitEvent, useMemo, useRef } from 'react';
import { flushSync } from 'react-dom';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { runSchema } from '@plinth/contract/runs';
import { findTextField } from '@plinth/contract/tool-fields';
import { tools } from '@plinth/contract/tools';
import type { Tool } from '@plinth/contract/tool';
import { useServedTool } from '../../generations/useTools.ts';
import { acceptPhotos } from '../../platform/picture-file.ts';
import { useApi } from '../../platform/useApi.ts';
import { useAttemptKey } from '../../platform/useAttemptKey.ts';
import { useUser } from '../../platform/useUser.ts';
import { say } from '../../ui/above/toast.tsx';
import { Button } from '../../ui/Button.tsx';
import { explainAsSaid, useForm } from '../../ui/fields/useForm.ts';
import { ScreenHead } from '../../ui/ScreenHead.tsx';
import { Icon } from '../../ui/icons.tsx';
import { DropWords } from '../../ui/wells/DropWords.tsx';
import { FileInput } from '../../ui/wells/FileInput.tsx';
import { usePageFiles } from '../../ui/wells/usePageFiles.ts';
import { listInputFiles, listDroppedFiles } from './import-files.ts';
import { sumUpSizeWarnings, findPhotoProblems, findSizeWarnings } from './check-photos.ts';
import { ListPreview } from './ListPreview.tsx';
import { PhotoRows } from './PhotoRows.tsx';
import { LIST_KEY } from '../keys.ts';
import { areStored, photosOf, putPhotos } from '../photo-actions.ts';
import { NOT_STARTED } from '../photos.ts';
import { chosenIn, factsOf, priceOfRun, sayLacking, validateRunForm } from '../run-form.ts';
import { useUploads } from '../upload/useUploads.ts';
import { runPath } from '../useRuns.ts';
import { RunFields } from './RunFields.tsx';
import { RunPrice } from './RunPrice.tsx';
import '../runs.css';
import { addFiles, beginNext, leaveOut, removeList, setForm, useNewRun } from './useNewRun.ts';

export function NewRunScreen() {
  const draft = useNewRun();
  const { photos, list } = draft;
  const { form, wrong, isSending, submit, clear } = useStartRun(draft);
  const keepFocus = useFocusAfterRemoval(form);
  const tool: Tool = tools[draft.form.tool];
  const hasWords = findTextField(tool) !== null;
  const problems = findPhotoProblems(photos, tool, useServedTool(draft.form.tool).entry);
  const lacking = sayLacking(draft.form, photos.length, problems.size);
  const sizeWarnings = useMemo(() => findSizeWarnings(photos, tool, draft.form), [photos, tool, draft.form]);
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (lacking === null) submit();
  };
  const changeForm: typeof setForm = (part) => {
    clear();
    setForm(part);
  };
  return (
    <>
      <ScreenHead title="New catalogue" line="Up to 500 photos through one tool. You can leave while it works." />
      <form ref={form} className="run-new columns" noValidate onSubmit={handleSubmit}>
        <section className="run-photos" aria-label="Add photos">
          <PhotoWell isSmall={photos.length > 0} />
          {draft.notes.map((note) => (
            <p key={note} className="small warning-box" role="status">
              {note}
            </p>
          ))}
          {list !== null && <ListPreview {...{ list, photos, hasWords }} onRemove={() => keepFocus(removeList)} />}
        </section>
        <section className="surface run-panel" aria-label="What to make">
          <div className="run-fields">
            <RunFields form={draft.form} wrong={wrong} isLocked={isSending} onChange={changeForm} />
          </div>
          <RunPrice
            count={photos.length}
            lacking={lacking}
            sizeWarnings={sumUpSizeWarnings(sizeWarnings)}
            cost={priceOfRun(chosenIn(draft.form))}
            refusal={wrong?.sentence ?? null}
            isStarting={isSending}
          />
        </section>
        {photos.length > 0 && (
          <PhotoRows
            {...{ photos, problems, sizeWarnings, hasWords }}
            onLeaveOut={(ids) => keepFocus(() => leaveOut(ids))}
          />
        )}
      </form>
    </>
  );
}

/** Starts a catalogue: creates the run, then uploads its photos one by one while the user goes on. */
function useStartRun({ form, photos }: ReturnType<typeof useNewRun>) {
  const api = useApi();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const uploads = useUploads();
  const { id: userId } = useUser();
  const attempt = useAttemptKey();

  const start = async () => {
    const { heightCm: _ofPhotos, ...body } = chosenIn(form);
    const idempotencyKey = attempt.keyOf(JSON.stringify(body));
    const run = await api.send('/api/v1/runs', runSchema, { method: 'POST', body, idempotencyKey });
    const wordsField = findTextField(tools[form.tool])?.name ?? null;
    const price = priceOfRun(body);
    // The photos of the press in their current state: some may have been changed or left out meanwhile.
    const own = photosOf(NOT_STARTED)
      .filter(({ id }) => photos.some((one) => one.id === id))
      .map((photo) => ({ ...photo, runId: run.id, wordsField, price, facts: factsOf(form, photo) }));
    putPhotos(own);
    void uploads.claim(run.id, true);
    beginNext();
    void queryClient.invalidateQueries({ queryKey: LIST_KEY });
    await navigate({ to: runPath(run.id), replace: true });
    if (!(await areStored(userId, own)))
      say.note('This browser keeps no photos: leave this page open until all are uploaded.', { id: 'kept' });
  };
  return useForm({ check: () => validateRunForm(form), send: start, explain: explainAsSaid, toastId: 'start-run' });
}

/** A removed row passes the focus on: to the next row, else to the list's header, else to the well. */
function useFocusAfterRemoval(form: RefObject<HTMLElement | null>): (change: () => void) => void {
  const listRows = () => [...(form.current?.querySelectorAll('.photo-row') ?? [])];
  return (change) => {
    const at = listRows().findIndex((row) => row.contains(document.activeElement));
    flushSync(change);
    const row = at < 0 ? undefined : (listRows()[at] ?? listRows().at(-1));
    const find = (place: string) => form.current?.querySelector<HTMLElement>(place);
    (row?.querySelector('button') ?? find('h2[tabindex]') ?? find('input'))?.focus();
  };
}

const ACCEPT = `${acceptPhotos()},text/csv,.csv,.tsv,.txt`;
const canChooseFolders = () => 'webkitdirectory' in HTMLInputElement.prototype;

function PhotoWell({ isSmall }: { isSmall: boolean }) {
  const folder = useRef<HTMLInputElement>(null);
  const isDragging = usePageFiles((dropped) => void listDroppedFiles(dropped).then(addFiles));
  const { reading } = useNewRun();
  const take = (files: readonly File[]) => void addFiles(listInputFiles(files));
  return (
    <div className="stack">
      <div className={`drop-well frame ${isDragging ? 'dragged-over' : ''} ${isSmall ? 'small-well' : ''}`}>
        {reading !== null ? (
          <>
            <span className="spinner" aria-hidden="true" />
            <span className="small">{`Reading file ${reading.read + 1} of ${reading.all}`}</span>
          </>
        ) : isDragging ? (
          <b>Drop them</b>
        ) : (
          <DropWords
            thing={isSmall ? 'more photos' : 'photos or a folder'}
            choice="choose files"
            byTouch={isSmall ? 'Choose more photos' : 'Choose photos'}
          />
        )}
        <FileInput
          className="laid-over"
          multiple
          accept={ACCEPT}
          aria-label="Photos and list"
          aria-describedby="run-well-hint"
          onFiles={take}
        />
      </div>
      <div className="cluster">
        {canChooseFolders() && (
          <>
            <Button icon={<Icon name="folder" />} onClick={() => folder.current?.click()}>
              Choose a folder
            </Button>
            <FileInput ref={folder} hidden aria-label="Folder" {...{ webkitdirectory: '' }} onFiles={take} />
          </>
        )}
        <p className="small" id="run-well-hint">
          A CSV with the columns <b>sku, file, prompt</b> gives each photo its name and its own words;{' '}
          <b>asin, ean, role, handle, height_cm</b> name and scale its files for shops.
        </p>
      </div>
    </div>
  );
}
