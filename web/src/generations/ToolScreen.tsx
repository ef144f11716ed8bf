import { useEffect, useRef, type RefObject } from 'react';
import type { ToolEntry } from '@plinth/contract/generations';
import type { ToolId } from '@plinth/contract/tools';
import { STACKED } from '../platform/media-query.ts';
import { ScreenHead } from '../ui/ScreenHead.tsx';
import { useFocusInvalid } from '../ui/fields/useFocusInvalid.ts';
import { controlOf } from '../ui/fields/useForm.ts';
import { canceledSentence } from './running.ts';
import './generations.css';
import { sayStep } from './stage/ProgressCard.tsx';
import { ResultPane } from './stage/ResultPane.tsx';
import { ToolForm } from './form/ToolForm.tsx';
import { useFocusKept } from './stage/useFocusKept.ts';
import type { Work } from './useGeneration.ts';
import { ToolInUseContext, useTool } from './useTool.ts';
import { isBuiltIn } from './useTools.ts';

export function ToolScreen({ toolId }: { toolId: ToolId }) {
  const form = useRef<HTMLFormElement>(null);
  const stage = useRef<HTMLElement>(null);
  const inUse = useTool(toolId, form);
  const { tool, entry, work, second } = inUse;
  const hasResult = work.isBusy || work.generation !== null;
  useScrollToStage(form, stage, work.isChecking, second.isSending, hasResult);
  useFocusOrder(form, stage, work);
  return (
    <ToolInUseContext value={inUse}>
      <ScreenHead title={tool.title} line={tool.line} right={<ServedBy entry={entry} />} />
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

function useFocusOrder(
  form: RefObject<HTMLFormElement | null>,
  stage: RefObject<HTMLElement | null>,
  { refused, generation, isBusy }: Work,
): void {
  const control = refused?.field ? controlOf(refused.field) : null;
  useFocusInvalid(form, refused, control, isBusy);
  useFocusKept(form, stage, generation === null && !isBusy);
}

function useScrollToStage(
  form: RefObject<HTMLFormElement | null>,
  stage: RefObject<HTMLElement | null>,
  isChecking: boolean,
  isSendingAgain: boolean,
  hasResult: boolean,
): void {
  const had = useRef(hasResult);
  useEffect(() => {
    const isLeft = had.current && !hasResult;
    had.current = hasResult;
    if (isLeft && window.matchMedia(STACKED).matches) form.current?.scrollIntoView({ block: 'start' });
  }, [hasResult, form]);

  useEffect(() => {
    if (!(isChecking || isSendingAgain) || !window.matchMedia(STACKED).matches) return;
    if (isChecking) stage.current?.focus({ preventScroll: true });
    stage.current?.scrollIntoView({ block: 'start' });
  }, [isChecking, isSendingAgain, stage]);
}

function ServedBy({ entry }: { entry: ToolEntry | undefined }) {
  return (
    <p className={entry ? 'caption served in-line' : 'caption served in-line hidden-yet'}>
      {isBuiltIn(entry) ? 'Built-in engine' : (entry?.servedBy.name ?? '…')}
    </p>
  );
}
