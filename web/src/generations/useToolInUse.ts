import { createContext, useContext } from 'react';
import type { Generation, ReturnReason } from '@plinth/contract/generations';
import type { Marks } from '@plinth/contract/marks';
import type { Media } from '@plinth/contract/media';
import type { Placement } from '@plinth/contract/placement';
import type { Tool } from '@plinth/contract/tool';
import type { ToolId } from '@plinth/contract/tools';
import type { PickedImage } from './check-image.ts';
import type { Draft } from './drafts.ts';
import type { Change } from './form-print.ts';
import type { Work } from './useGeneration.ts';

/** What the button of the form would do, or why it does nothing. */
export type Again =
  | 'new'
  | 'unanswered'
  | 'free version'
  | 'free change'
  | 'earlier'
  | 'same picture'
  | 'same refusal'
  | 'same return';

export type Pictures = {
  reading: string | null;
  refusals: Readonly<Record<string, string>>;
  take: (fieldName: string, file: File | Promise<File>, isSample?: boolean) => void;
  takeMedia: (fieldName: string, media: Media, preview: Blob) => void;
  remove: (fieldName: string) => void;
};

export type SecondTry = {
  isSending: boolean;
  redo: (change: Change) => Promise<Generation | null>;
  giveBack: (reason: ReturnReason) => Promise<void>;
};

export type ToolInUse = {
  toolId: ToolId;
  tool: Tool;
  draft: Draft;
  missing: string[];
  work: Work;
  pictures: Pictures;
  again: Again;
  second: SecondTry;
  markable: string | null;
  /** Whether the result comes before the form: its button is the quiet one then. */
  isResultFirst: boolean;
  /** Whether the product of the shown scene stands where its person put it. */
  isPlaced: boolean;
  setField: (name: string, value: PickedImage | string | null) => void;
  submit: () => void;
  mark: (marks: Marks) => void;
  /** Undefined where what serves the tool takes no place. */
  place: ((placed: Placement | null) => void) | undefined;
  show: (generationId: string) => void;
  chooseOther: () => void;
};

export const ToolInUseContext = createContext<ToolInUse | null>(null);

export function useToolInUse(): ToolInUse {
  const inUse = useContext(ToolInUseContext);
  if (inUse === null) throw new Error('this part belongs to a tool’s screen');
  return inUse;
}
