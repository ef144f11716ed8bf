import { useMemo, useState, type SubmitEvent } from 'react';
import { findWords } from '@plinth/contract/tool-fields';
import { tools } from '@plinth/contract/tools';
import type { Tool } from '@plinth/contract/tool';
import { ScreenHead } from '../../ui/ScreenHead.tsx';
import { usePageFiles } from '../../ui/wells/usePageFiles.ts';
import { listDropped } from '../upload/collect-files.ts';
import { FileWell } from './FileWell.tsx';
import { foreseeSizes } from './foresee-sizes.ts';
import { ListPreview } from './ListPreview.tsx';
import { findPhotoProblems } from '../upload/photo-problems.ts';
import { PhotoRows } from './PhotoRows.tsx';
import { findMissingInForm, pictureField } from '../run-form.ts';
import { RunFields } from './RunFields.tsx';
import { RunPrice } from './RunPrice.tsx';
import '../runs.css';
import { useNewRun } from './useNewRun.ts';
import { useStartRun } from './useStartRun.ts';

export function NewRunScreen() {
  const draft = useNewRun();
  const { run, add, setForm, setPhoto, leaveOut } = draft;
  const { form, wrong, isSending, submit, clear } = useStartRun(draft);
  const tool: Tool = tools[run.form.tool];
  const hasWords = findWords(tool) !== null;
  const problems = findPhotoProblems(run.photos, pictureField(tool), hasWords);
  const missing = findMissingInForm(run.form)?.sentence ?? null;
  const foreseen = useMemo(() => foreseeSizes(run.photos, tool, run.form), [run.photos, run.form, tool]);
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (run.photos.length > 0 && problems.size === 0 && missing === null) submit();
  };
  const changeForm: typeof setForm = (part) => {
    clear();
    setForm(part);
  };
  return (
    <>
      <ScreenHead title="New catalogue" line="Up to 500 photos through one tool. You can leave while it works." />
      <form ref={form} className="run-new columns" noValidate onSubmit={handleSubmit}>
        <section className="run-photos" aria-label="Photos">
          <PhotoWell add={add} isSmall={run.photos.length > 0} />
          {run.notes.map((note) => (
            <p key={note} className="small warning-box" role="status">
              {note}
            </p>
          ))}
          {run.list !== null && (
            <ListPreview list={run.list} photos={run.photos} hasWords={hasWords} onRemove={draft.removeList} />
          )}
          {run.photos.length > 0 && (
            <PhotoRows
              {...{ problems, foreseen, tool, hasWords }}
              photos={run.photos}
              onChange={setPhoto}
              onLeaveOut={leaveOut}
            />
          )}
        </section>
        <section className="surface run-panel" aria-label="What to make">
          <RunFields form={run.form} wrong={wrong} isLocked={isSending} onChange={changeForm} />
          <RunPrice
            count={run.photos.length}
            problemCount={problems.size}
            missing={missing}
            foreseen={foreseen}
            cost={tool.cost}
            refusal={wrong?.sentence ?? null}
            isStarting={isSending}
          />
        </section>
      </form>
    </>
  );
}

type PhotoWellProps = Pick<ReturnType<typeof useNewRun>, 'add'> & { isSmall: boolean };

function PhotoWell({ add, isSmall }: PhotoWellProps) {
  const isDragging = usePageFiles((dropped) => void listDropped(dropped).then(add));
  const [isReading, setReading] = useState(false);
  return (
    <FileWell
      isSmall={isSmall}
      isDragging={isDragging}
      isReading={isReading}
      onFound={(found) => {
        setReading(true);
        void add(found).finally(() => setReading(false));
      }}
    />
  );
}
