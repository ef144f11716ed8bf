import { useEffect, useRef, type RefObject } from 'react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { mediaSchema, previewUrl, type Media } from '@plinth/contract/media';
import { mainPictureField } from '@plinth/contract/tool-fields';
import { tools, type ToolId } from '@plinth/contract/tools';
import { useNow } from '../platform/clock.ts';
import { STACKED } from '../platform/media-query.ts';
import { useApi } from '../platform/useApi.ts';
import { ScreenHead } from '../ui/ScreenHead.tsx';
import { say } from '../ui/above/toast.tsx';
import { useFocusWrong } from '../ui/fields/useFocusWrong.ts';
import { controlOf } from '../ui/fields/useForm.ts';
import { decideAgain, hasTries, isFree } from './form/again.ts';
import { changeField, missingFields, pictureOf, type Draft } from './drafts.ts';
import { canceledSentence } from './running.ts';
import { listDifferences, printForm, restoreForm } from './form-print.ts';
import './generations.css';
import { sayStep } from './stage/ProgressCard.tsx';
import { ResultPane } from './stage/ResultPane.tsx';
import { ToolForm } from './form/ToolForm.tsx';
import { readTool } from './memory.ts';
import { asks, findMarkable, findPlacementField, judge, showProduct } from './subject.ts';
import { useFocusKept } from './stage/useFocusKept.ts';
import { useDraft } from './useDraft.ts';
import { useGeneration, type Work } from './useGeneration.ts';
import { usePictures } from './form/usePictures.ts';
import { useSecondTry } from './tries/useSecondTry.ts';
import { useSubject } from './form/useSubject.ts';
import { isBuiltIn, narrowTool, useServedTool } from './useTools.ts';
import { ToolInUseContext, type ToolInUse } from './useToolInUse.ts';

export function ToolScreen({ toolId }: { toolId: ToolId }) {
  const form = useRef<HTMLFormElement>(null);
  const stage = useRef<HTMLElement>(null);
  const inUse = useTool(toolId, form);
  const { tool, work } = inUse;
  const hasResult = work.isBusy || work.generation !== null;
  useStageFirst(form, stage, work.isChecking, hasResult);
  useFocusOrder(form, stage, work);
  return (
    <ToolInUseContext value={inUse}>
      <ScreenHead title={tool.title} line={tool.line} right={<ServedBy toolId={toolId} />} />
      {/* Beside the stage: what is in a busy place is not read aloud. */}
      <p className="sr-only" role="status">
        {work.isBusy ? sayStep(work) : work.generation?.status === 'canceled' && canceledSentence(work.generation)}
      </p>
      <div className={`tool-screen ${hasResult ? 'has-result' : ''} ${work.isAwaited ? 'hidden-yet' : ''}`}>
        <ToolForm ref={form} />
        <ResultPane ref={stage} />
      </div>
    </ToolInUseContext>
  );
}

function useTool(toolId: ToolId, form: RefObject<HTMLFormElement | null>): ToolInUse {
  const { entry } = useServedTool(toolId);
  const tool = narrowTool(toolId, entry);
  const { draft, setField, change, startAfresh } = useDraft(toolId);
  const work = useGeneration(toolId, tool, draft, startAfresh);
  const pictures = usePictures(tool, setField, work);
  const mainPicture = mainPictureField(tool);
  useHandedPhoto((media, preview) => pictures.takeMedia(mainPicture, media, preview));
  useSubject({ tool, entry, draft, onAnswer: setField });
  const [markable, placement] = [findMarkable(tool, entry), findPlacementField(tool, entry)];
  const shown = markable === null ? undefined : pictureOf(draft, markable);
  const isAsking = shown !== undefined && asks(judge(shown));
  const now = useNow(60_000);
  const again = decideAgain({ ...work, entry, isAsking, now });
  const missing = missingFields(tool, draft);
  const show = (generationId: string) => {
    bringInLine(toolId, generationId, change);
    work.show(generationId);
  };
  const second = useSecondTry({ generation: work.generation, onShow: show });
  return {
    ...{ toolId, tool, draft, missing, work, pictures, again, second, markable, show },
    isResultFirst: Boolean(work.generation?.result) && (again !== 'new' || missing.length > 0),
    isPlaced: readTool(toolId).stage.made[work.generation?.id ?? '']?.[placement ?? ''] !== undefined,
    setField: (name, value) => {
      work.clearRefusal();
      setField(name, value);
    },
    submit: () => {
      if (again === 'unanswered') return leadToQuestion();
      void (isFree(again) ? second.redo(work.change ?? {}) : work.submit(draft));
    },
    mark: (marks) => {
      if (markable === null || shown === undefined) return;
      const marked = showProduct(shown, marks);
      setField(markable, marked);
      void work.submit({ ...draft, [markable]: marked });
    },
    place:
      placement === undefined
        ? undefined
        : (placed) => {
            const field = placed === null ? null : JSON.stringify(placed);
            setField(placement, field);
            if (work.generation !== null && hasTries(work.generation, now))
              void second.redo({ ...work.change, [placement]: placed ?? '' });
            else void work.submit(changeField(toolId, draft, placement, field));
          },
    chooseOther: () => form.current?.querySelector<HTMLElement>(`[data-field=${mainPicture}] [type=file]`)?.click(),
  };
}

/** To what is asked about a photo: its first answer, clear of what stays in sight at the foot. */
function leadToQuestion(): void {
  const answer = document.querySelector<HTMLElement>('.asking button');
  answer?.focus({ preventScroll: true });
  answer?.scrollIntoView({ block: 'center' });
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
