import { useEffect, useRef, type RefObject } from 'react';
import { nameTool, type ToolId } from '@plinth/contract/tools';
import { STACKED } from '../platform/media-query.ts';
import { useWindowEvent } from '../platform/useWindowEvent.ts';
import { ScreenHead } from '../ui/ScreenHead.tsx';
import { useFocusInvalid } from '../ui/fields/useFocusInvalid.ts';
import { controlOf } from '../ui/fields/useForm.ts';
import { canceledSentence } from './followed.ts';
import './generations.css';
import { sayStep } from './stage/ProgressCard.tsx';
import { ResultPane } from './stage/ResultPane.tsx';
import { ToolForm } from './form/ToolForm.tsx';
import { ToolInUseContext, useTool } from './useTool.ts';
import { isBuiltIn } from './useTools.ts';

export function ToolScreen({ toolId }: { toolId: ToolId }) {
  const form = useRef<HTMLFormElement>(null);
  const stage = useRef<HTMLElement>(null);
  const inUse = useTool(toolId, form);
  const { tool, entry, work, second } = inUse;
  const { refused, isBusy } = work;
  const hasResult = isBusy || work.generation !== null;
  useScrollToStage(form, stage, work.isChecking, second.isSending, hasResult);
  useFocusInvalid(form, refused, refused?.field ? controlOf(refused.field) : null, isBusy);
  useFocusKept(form, stage, !hasResult);
  const servedBy = isBuiltIn(entry) ? 'Built-in engine' : entry?.servedBy.name;
  return (
    <ToolInUseContext value={inUse}>
      <ScreenHead
        title={tool.title}
        windowTitle={nameTool(tool)}
        line={tool.line}
        right={<p className={`caption served in-line ${entry ? '' : 'hidden-yet'}`}>{servedBy ?? '…'}</p>}
      />
      {/* Beside the stage: what is in a busy place is not read aloud. */}
      <p className="sr-only" role="status">
        {isBusy ? sayStep(work) : work.generation?.status === 'canceled' && canceledSentence(work.generation)}
      </p>
      <div className={`tool-screen ${hasResult ? 'has-result' : ''} ${work.isAwaited ? 'hidden-yet' : ''}`}>
        <ToolForm ref={form} />
        <ResultPane ref={stage} />
      </div>
    </ToolInUseContext>
  );
}

type Part = RefObject<HTMLElement | null>;

function useScrollToStage(form: Part, stage: Part, isChecking: boolean, isSendingAgain: boolean, hasResult: boolean) {
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

/**
 * If a focused control disappears or is disabled, the focus would fall to the page. Instead it moves on within its
 * field; from the stage it moves to the next control there, or to the form if the stage is empty.
 */
function useFocusKept(form: Part, stage: Part, isFresh: boolean): void {
  const last = useRef<{ element: Element; field: string | undefined; isStage: boolean } | null>(null);
  useWindowEvent('focusin', ({ target }) => {
    if (!(target instanceof Element)) return;
    const field = target.closest<HTMLElement>('[data-field]')?.dataset['field'];
    const isStage = stage.current?.contains(target) === true;
    last.current = field !== undefined || isStage ? { element: target, field, isStage } : null;
  });

  // Runs after every render, because any render may remove the control.
  useEffect(() => {
    if (last.current === null || !isLost(last.current.element)) return;
    const { field, isStage } = last.current;
    if (isStage && !isFresh) return stage.current?.focus({ preventScroll: true });
    const place = field === undefined ? '[data-field]' : `[data-field=${field}]`;
    const controls = `${place} :is(input,textarea,button):enabled, [type=submit]`;
    form.current?.querySelector<HTMLElement>(controls)?.focus({ preventScroll: true });
  });
}

function isLost(element: Element): boolean {
  if (element.isConnected && !element.matches(':disabled')) return false;
  return [null, document.body, element].includes(document.activeElement);
}
