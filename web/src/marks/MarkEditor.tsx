import { Dialog } from '@base-ui/react/dialog';
import type { Marks } from '@plinth/contract/marks';
import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { useAsyncValue } from '../platform/useAsyncValue.ts';
import { Button } from '../ui/Button.tsx';
import { Segmented } from '../ui/fields/Segmented.tsx';
import { Slider } from '../ui/fields/Slider.tsx';
import { ZoomButtons } from '../ui/ZoomButtons.tsx';
import { buttonClass } from '../ui/button-class.ts';
import { ErrorBox } from '../ui/ErrorBox.tsx';
import { Facts } from '../ui/Facts.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { CloseRequest } from '../ui/above/CloseRequest.ts';
import { Icon, type IconName } from '../ui/icons.tsx';
import { loadPicture, type Loaded } from './load-picture.ts';
import { choose, createMarking, DIAMETERS, type Marking, redo, resizeBrush, type Tool, undo } from './marking.ts';
import { MarkPicture } from './MarkPicture.tsx';
import './marks.css';
import { foldSteps, type Step } from './marks.ts';
import { KEYS, useKeys } from './useKeys.ts';
import { type MarkView, type Pointed, useMarkView } from './useMarkView.ts';
import { usePointers } from './usePointers.ts';

export type MarkEditorProps = {
  pictureId: string;
  photo: Blob;
  /** Fetches the current cut-out, if there is one. */
  readCutout?: () => Promise<Blob>;
  title: string;
  /** What to do; by default, to show the product. */
  line?: string;
  /** Marks sent earlier with this picture. Sent again, because each try knows only its own marks. */
  sent?: Marks | undefined;
  /** Steps that the corrected result already shows: sending only these would make the same result again. */
  made?: readonly Step[];
  earlier: readonly Step[];
  apply: { label: string; cost?: string; note?: string };
  onApply: (marks: Marks) => void;
  /** Called after every step, so that a closing page loses nothing; also with the initial marks. */
  onSteps: (steps: Step[]) => void;
  onClose: () => void;
};

const SHOW_IT = 'Draw the box around the product. Paint with Keep or Remove where it needs help.';

export function MarkEditor(props: MarkEditorProps) {
  const { pictureId, photo, readCutout, title, line = SHOW_IT, onClose } = props;
  const loaded = useAsyncValue(pictureId, async () => loadPicture(photo, (await readCutout?.()) ?? null));
  const help = useRef<HTMLDetailsElement>(null);
  const handleOpen = (isOpen: boolean, { reason }: Dialog.Root.ChangeEventDetails) => {
    if (reason === 'escape-key' && help.current?.open) help.current.open = false;
    else if (!isOpen) onClose();
  };
  return (
    <Dialog.Root open onOpenChange={handleOpen}>
      <CloseRequest onClose={onClose} />
      <Dialog.Portal>
        <Dialog.Backdrop className="scrim" />
        <Dialog.Popup className="whole-window marking">
          <header className="window-head in-line marking-head">
            <Dialog.Title className="title-small">{title}</Dialog.Title>
            <Dialog.Description className="small is-good grows marking-line">{line}</Dialog.Description>
            <Dialog.Close className={buttonClass({ look: 'borderless', square: true })} aria-label="Close">
              <Icon name="close" />
            </Dialog.Close>
          </header>
          {typeof loaded === 'object' && <Painting {...props} loaded={loaded} help={help} />}
          {loaded === undefined && (
            <p className="marking-wait in-line" role="status">
              <span className="spinner" aria-hidden="true" />
              Opening your photo
            </p>
          )}
          {loaded === 'failed' && (
            <div className="marking-wait in-line">
              <ErrorBox>Your photo could not be opened. Close this and try again.</ErrorBox>
            </div>
          )}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

type PaintingProps = MarkEditorProps & { loaded: Loaded; help: RefObject<HTMLDetailsElement | null> };

function Painting({ loaded, sent, made, earlier, apply, help, onApply, onSteps }: PaintingProps) {
  const id = useId();
  const [announcement, announce] = useState('');
  const [host, setHost] = useState<HTMLDivElement | null>(null);
  const [pointed, setPointed] = useState<Pointed | null>(null);
  const [marking] = useState(() =>
    createMarking(earlier, { loaded, isFirst: made === undefined, onSteps, onSay: announce }),
  );
  const steps = useStore(marking, (state) => state.steps);
  const hasNew = useStore(marking, (state) => state.steps.length > 0 && !isSame(state.steps, made));
  const view = useMarkView(host, loaded.size);
  usePointers(host, marking, view, setPointed);
  const keys = useKeys(marking, view, setPointed);
  useEffect(() => host?.focus(), [host]);
  return (
    <>
      <div
        ref={setHost}
        className="window-room marking-picture"
        role="application"
        aria-label="Your photo, paint here"
        aria-describedby={`${id}-keys`}
        tabIndex={0}
        {...keys}
      >
        <MarkPicture marking={marking} view={view} pointed={pointed} />
      </div>
      <MarkTools marking={marking} view={view}>
        <div className="marking-apply in-line">
          <span className="caption figures">{hasNew ? apply.note : 'Paint something first.'}</span>
          <Button
            look="primary"
            cost={apply.cost}
            disabled={!hasNew}
            onClick={() => onApply(foldSteps(steps, loaded.size, sent))}
          >
            {apply.label}
          </Button>
        </div>
      </MarkTools>
      <details ref={help} className="marking-keys">
        <summary className={buttonClass({})}>Keys</summary>
        <Facts id={`${id}-keys`} className="popup small" facts={KEYS} />
      </details>
      <span className="sr-only" role="status">
        {announcement}
      </span>
    </>
  );
}

const isSame = (steps: readonly Step[], made: readonly Step[] = []) =>
  steps.length === made.length && JSON.stringify(steps) === JSON.stringify(made);

const named = (icon: IconName, name: string) => (
  <>
    <Icon name={icon} size={16} />
    {name}
  </>
);
const NAMES: Record<Tool, ReactNode> = {
  keep: named('brush', 'Keep'),
  drop: named('eraser', 'Remove'),
  box: named('box', 'Box'),
};

function MarkTools({ marking, view, children }: { marking: Marking; view: MarkView; children: ReactNode }) {
  const { tool, diameter, steps, undone } = useStore(marking);
  return (
    <div className="window-foot footing cluster marking-tools">
      <Segmented
        className="mark-brushes"
        label="Tool"
        names={NAMES}
        value={tool}
        onChange={(next) => choose(marking, next)}
      />
      <Slider
        label="Size"
        aria-label="Brush size"
        {...DIAMETERS}
        value={diameter}
        disabled={tool === 'box'}
        onValue={(value) => resizeBrush(marking, value)}
      />
      <div className="in-line">
        <IconButton icon="returned" label="Undo" disabled={steps.length === 0} onClick={() => undo(marking)} />
        <IconButton icon="redo" label="Redo" disabled={undone.length === 0} onClick={() => redo(marking)} />
      </div>
      <ZoomButtons
        percent={view.percent}
        leadsTo="show the whole picture"
        onFigure={view.showWhole}
        onOut={() => view.zoom(0.8)}
        onIn={() => view.zoom(1.25)}
      />
      {children}
    </div>
  );
}
