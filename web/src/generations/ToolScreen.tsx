import { useEffect, useEffectEvent, useRef, type RefObject } from 'react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { mediaSchema, previewUrl, type Media } from '@plinth/contract/media';
import type { Marks } from '@plinth/contract/marks';
import { mainPictureField } from '@plinth/contract/tool-fields';
import { tools, type ToolId } from '@plinth/contract/tools';
import type { Placement } from '@plinth/contract/placement';
import { useNow } from '../platform/clock.ts';
import { STACKED } from '../platform/media-query.ts';
import { useApi } from '../platform/useApi.ts';
import { ScreenHead } from '../ui/ScreenHead.tsx';
import { say } from '../ui/toast.tsx';
import { useFocusWrong } from '../ui/useFocusWrong.ts';
import { controlOf } from '../ui/useForm.ts';
import { decideAgain, isFree, type Again } from './form/again.ts';
import { missingFields, pictureOf, type Draft } from './drafts.ts';
import { listDifferences, printForm, restoreForm } from './form-print.ts';
import './generations.css';
import { ResultPane } from './stage/ResultPane.tsx';
import { ToolForm } from './form/ToolForm.tsx';
import { findUploadOf, readTool, useMemory } from './memory.ts';
import { findMarkable, findPlacementField, readPlacement, showProduct } from './subject.ts';
import { useFocusKept } from './stage/useFocusKept.ts';
import { useDraft } from './useDraft.ts';
import { useGeneration, type Work } from './useGeneration.ts';
import { usePictures, type Pictures } from './form/usePictures.ts';
import { useSecondTry, type SecondTry } from './tries/useSecondTry.ts';
import { useSubject } from './form/useSubject.ts';
import { isBuiltIn, narrowTool, useServedTool } from './useTools.ts';

export function ToolScreen({ toolId }: { toolId: ToolId }) {
  const form = useRef<HTMLFormElement>(null);
  const stage = useRef<HTMLElement>(null);
  const { tool, draft, setField, work, pictures, again, second, markable, placement, mainPicture, show } =
    useTool(toolId);
  const acts = useActs({ draft, setField, again, work, second, markable, placement });
  const missing = missingFields(tool, draft);
  const isResultFirst = Boolean(work.generation?.result) && (again !== 'new' || missing.length > 0);
  const hasResult = work.isBusy || work.generation !== null;
  useStageFirst(form, stage, work.isChecking, hasResult);
  useFocusOrder(form, stage, work);
  const changeField: typeof setField = (name, value) => {
    work.clearRefusal();
    setField(name, value);
  };
  const chooseOther = () =>
    form.current?.querySelector<HTMLElement>(`[data-field=${mainPicture}] [type=file]`)?.click();
  const shared = { toolId, tool, draft, markable };
  return (
    <>
      <ScreenHead title={tool.title} line={tool.line} right={<ServedBy toolId={toolId} />} />
      <div className={`tool-screen ${hasResult ? 'has-result' : ''} ${work.isAwaited ? 'hidden-yet' : ''}`}>
        <ToolForm
          {...shared}
          ref={form}
          work={{ ...work, isBusy: work.isBusy || work.isSendingRest || second.isSending }}
          pictures={pictures}
          again={again}
          isSecond={isResultFirst}
          onField={changeField}
          onSubmit={acts.submit}
        />
        <ResultPane
          {...shared}
          ref={stage}
          work={work}
          missing={missing}
          onAgain={acts.submit}
          onOtherPhoto={chooseOther}
          second={second}
          isFirst={isResultFirst}
          isFormFree={isFree(again)}
          onShow={show}
          onMarks={acts.mark}
          placed={readPlacement(readTool(toolId).stage.made[work.generation?.id ?? '']?.[placement ?? ''])}
          onPlace={placement === undefined ? undefined : acts.place}
        />
      </div>
    </>
  );
}

function useTool(toolId: ToolId) {
  const { entry } = useServedTool(toolId);
  const tool = narrowTool(toolId, entry);
  const { draft, setField, change, startAfresh } = useDraft(toolId);
  const work = useGeneration(toolId, tool, draft, startAfresh);
  const pictures = usePictures(tool, setField, work);
  const mainPicture = mainPictureField(tool);
  usePhotosFromElsewhere(mainPicture, draft, work, pictures);
  useSubject({ tool, entry, draft, onAnswer: setField });
  const again = decideAgain({ ...work, entry, now: useNow(60_000) });
  const show = (generationId: string) => {
    bringInLine(toolId, generationId, change);
    work.show(generationId);
  };
  const second = useSecondTry({ generation: work.generation, onShow: show });
  const [markable, placement] = [findMarkable(tool, entry), findPlacementField(tool, entry)];
  return { tool, draft, setField, work, pictures, again, second, markable, placement, mainPicture, show };
}

type Acts = Pick<ReturnType<typeof useDraft>, 'draft' | 'setField'> & {
  again: Again;
  work: Work;
  second: SecondTry;
  markable: string | null;
  placement: string | undefined;
};

function useActs({ draft, setField, again, work, second, markable, placement }: Acts) {
  return {
    submit: () => void (isFree(again) ? second.redo(work.change ?? {}) : work.submit(draft)),
    mark: (marks: Marks) => {
      const picked = markable === null ? undefined : pictureOf(draft, markable);
      if (markable === null || picked === undefined) return;
      const shown = showProduct(picked, marks);
      setField(markable, shown);
      void work.submit({ ...draft, [markable]: shown });
    },
    place: (placed: Placement | null) => {
      if (placement === undefined) return;
      setField(placement, placed === null ? null : JSON.stringify(placed));
      void second.redo({ ...work.change, [placement]: placed ?? '' });
    },
  };
}

function usePhotosFromElsewhere(name: string, draft: Draft, work: Work, pictures: Pictures): void {
  useHandedPhoto((media, preview) => pictures.takeMedia(name, media, preview));
  const runningId = work.step === 'running' ? work.generation?.id : undefined;
  useRunningPhoto(draft[name] === undefined ? runningId : undefined, (file, isSample) =>
    pictures.take(name, file, isSample),
  );
}

function useFocusOrder(
  form: RefObject<HTMLFormElement | null>,
  stage: RefObject<HTMLElement | null>,
  { refused, generation, isBusy }: Work,
): void {
  const control = refused?.field ? controlOf(refused.field) : null;
  useFocusWrong(form, refused, control, isBusy);
  useFocusKept(form, stage, generation === null && !isBusy);
}

function bringInLine(toolId: ToolId, nextId: string, change: (changed: (draft: Draft) => Draft) => void): void {
  const { shown, made } = readTool(toolId).stage;
  const [from, to] = [made[shown ?? ''], made[nextId]];
  if (from === undefined || to === undefined) return;
  change((form) => {
    const isUntouched = listDifferences(from, printForm(tools[toolId], form)).length === 0;
    return isUntouched ? restoreForm(tools[toolId], form, from, to) : form;
  });
}

function useStageFirst(
  form: RefObject<HTMLFormElement | null>,
  stage: RefObject<HTMLElement | null>,
  isChecking: boolean,
  hasResult: boolean,
): void {
  const had = useRef(hasResult);
  useEffect(() => {
    const isLeft = had.current && !hasResult;
    had.current = hasResult;
    if (isLeft && window.matchMedia(STACKED).matches) form.current?.scrollIntoView({ block: 'start' });
  }, [hasResult, form]);

  useEffect(() => {
    if (!isChecking || !window.matchMedia(STACKED).matches) return;
    stage.current?.focus({ preventScroll: true });
    stage.current?.scrollIntoView({ block: 'start' });
  }, [isChecking, stage]);
}

function ServedBy({ toolId }: { toolId: ToolId }) {
  const { entry } = useServedTool(toolId);
  return (
    <p className={entry ? 'caption served in-line' : 'caption served in-line hidden-yet'}>
      {isBuiltIn(entry) ? 'Built-in engine' : (entry?.servedBy.name ?? '…')}
    </p>
  );
}

/** `?photo=` hands a finished picture over as the new photo, without a new upload. */
function useHandedPhoto(onMedia: (media: Media, preview: Blob) => void): void {
  const api = useApi();
  const navigate = useNavigate();
  const photo = useSearch({ strict: false, select: (search) => search.photo });
  const taken = useRef<string>(undefined);
  useEffect(() => {
    if (photo === undefined || taken.current === photo) return;
    taken.current = photo;
    void navigate({ to: '.', search: {}, replace: true });
    Promise.all([
      api.send(`/api/v1/media/${encodeURIComponent(photo)}`, mediaSchema),
      api.file(previewUrl(encodeURIComponent(photo), 1280)),
    ]).then(
      ([media, preview]) => onMedia(media, preview),
      () => say.wrong('This picture is no longer there.', { id: 'photo' }),
    );
  });
}

/** A form that is empty although its work runs gets the photo back if this browser has it. */
function useRunningPhoto(generationId: string | undefined, onFile: (file: File, isSample: boolean) => void): void {
  const upload = useMemory((memory) => (generationId === undefined ? undefined : findUploadOf(generationId, memory)));
  const take = useEffectEvent(onFile);
  useEffect(() => {
    if (upload !== undefined) take(upload.file, upload.isSample);
  }, [upload]);
}
