import { createContext, useContext, useEffect, useEffectEvent, useRef, type RefObject } from 'react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Marks } from '@plinth/contract/marks';
import type { Placement } from '@plinth/contract/placement';
import { findTextField, mainPictureField } from '@plinth/contract/tool-fields';
import type { ToolId } from '@plinth/contract/tools';
import { sayUnread } from '../media/media-queries.ts';
import { takeHandoff, type Handoff } from '../platform/handoff.ts';
import { useNow } from '../platform/clock.ts';
import { useApi } from '../platform/useApi.ts';
import { decideAgain, hasTries, isFree } from './again.ts';
import { fingerprintForm, missingFields, pictureOf, priceOf, type PickedImage } from './drafts.ts';
import { countVersions, listDifferences } from './form-fingerprint.ts';
import { clearRefusal, readDraft, setField, useMemory } from './memory.ts';
import { needsAnswer, findMarkable, focusQuestion, assess, showProduct, useSubject } from './subject.ts';
import { useGeneration } from './useGeneration.ts';
import { useSecondTry } from './useSecondTry.ts';
import { pickPhoto } from './pick-photo.ts';
import { narrowTool, useServedTool } from './useTools.ts';

/** State and actions of a tool's screen. */
export function useTool(toolId: ToolId, form: RefObject<HTMLFormElement | null>) {
  const { entry } = useServedTool(toolId);
  const tool = narrowTool(toolId, entry);
  const draft = useMemory((memory) => readDraft(toolId, memory));
  const work = useGeneration(toolId, tool, draft);
  const mainPicture = mainPictureField(tool);
  usePhotoFromLink(toolId);
  useHandoff(toolId, ({ photo, words }) => {
    void pickPhoto(toolId, mainPicture, photo);
    const text = findTextField(tool);
    if (text !== null && words !== null) setField(toolId, text.name, words);
  });
  const markable = findMarkable(tool, entry);
  const placement = Object.keys(tool.fields).find((name) => entry && tool.fields[name]?.kind === 'placement');
  const picked = markable === null ? undefined : pictureOf(draft, markable);
  useSubject(toolId, markable, picked);
  const isAsking = picked !== undefined && needsAnswer(assess(picked));
  const now = useNow(60_000);
  const again = decideAgain({ ...work, entry, isAsking, now });
  const missing = missingFields(tool, draft);
  const second = useSecondTry(work.generation, work.show);
  const canRedo = work.generation !== null && hasTries(work.generation, now);
  return {
    ...{ toolId, tool, entry, draft, missing, work, again, second, canRedo, markable },
    /** Number of versions that the form asks for, and the cost of each. */
    versions: countVersions(tool, draft),
    cost: priceOf(tool, draft),
    /** The form's photo whose product can be shown. */
    picked,
    /** True if the result comes before the form, whose button is then secondary. */
    isResultFirst: Boolean(work.generation?.result) && (again !== 'new' || missing.length > 0),
    /** True if the product of the shown scene is placed by the user. */
    isPlaced: work.from?.[placement ?? ''] !== undefined,
    setField: (name: string, value: PickedImage | string | null) => {
      clearRefusal(toolId);
      setField(toolId, name, value);
    },
    submit: () => {
      if (again === 'unanswered') focusQuestion(toolId);
      else void (isFree(again) ? second.redo(work.change ?? {}) : work.submit());
    },
    mark: (marks: Marks) => {
      if (markable === null || picked === undefined) return;
      setField(toolId, markable, showProduct(picked, marks));
      void work.submit();
    },
    /** Undefined if the tool's provider takes no placement. */
    place:
      placement === undefined
        ? undefined
        : (placed: Placement | null) => {
            setField(toolId, placement, placed && JSON.stringify(placed));
            if (canRedo) void second.redo({ ...work.change, [placement]: placed ?? '' });
            // An unchanged placement would charge for the same picture.
            else if (!work.from || listDifferences(work.from, fingerprintForm(tool, readDraft(toolId))).length > 0)
              void work.submit();
          },
    choose: (name: string) => form.current?.querySelector<HTMLElement>(`[data-field=${name}] [type=file]`)?.click(),
  };
}

export const ToolInUseContext = createContext<ReturnType<typeof useTool> | null>(null);

/** The tool of the screen around a component. */
export function useToolInUse() {
  const inUse = useContext(ToolInUseContext);
  if (inUse === null) throw new Error('this part belongs to a tool’s screen');
  return inUse;
}

/** Fills the form with what the visitor tried on the start page. */
function useHandoff(toolId: ToolId, onHandoff: (handoff: Handoff) => void): void {
  const take = useEffectEvent((handoff: Handoff | null) => handoff && onHandoff(handoff));
  useEffect(() => {
    takeHandoff(toolId).then(take, () => undefined); // Private windows have no storage.
  }, [toolId]);
}

/** `?photo=` passes a finished picture on as the new photo, without an upload; with `then=export`, to its export. */
function usePhotoFromLink(toolId: ToolId): void {
  const api = useApi();
  const navigate = useNavigate();
  const { photo, then } = useSearch({ strict: false });
  const taken = useRef<string>(undefined);
  useEffect(() => {
    if (photo === undefined || taken.current === photo) return;
    taken.current = photo;
    void navigate({ to: '.', search: {}, replace: true });
    import('./hand-photo.ts')
      .then(({ handResult }) => handResult(api, toolId, photo, then === 'export'))
      .catch((cause: unknown) => sayUnread(cause, 'photo'));
  });
}
