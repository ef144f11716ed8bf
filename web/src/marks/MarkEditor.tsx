import { Dialog } from '@base-ui/react/dialog';
import type { Marks } from '@plinth/contract/marks';
import { useId, useRef, useState, type RefObject } from 'react';
import { useMade } from '../platform/useMade.ts';
import { Button } from '../ui/Button.tsx';
import { buttonClass } from '../ui/button-class.ts';
import { ErrorBox } from '../ui/ErrorBox.tsx';
import { Facts } from '../ui/Facts.tsx';
import { Icon } from '../ui/icons.tsx';
import type { MarkCanvas } from './mark-canvas.ts';
import { KEYS } from './listen-keys.ts';
import { loadPicture, type Loaded } from './load-picture.ts';
import { MarkTools } from './MarkTools.tsx';
import './marks.css';
import { foldSteps, type Step } from './marks.ts';
import { useMarkCanvas } from './useMarkCanvas.ts';
import { usePointers } from './usePointers.ts';

export type MarkEditorProps = {
  pictureId: string;
  photo: Blob;
  /** Reads the cut-out as it is now; null when there is none. */
  readCutout: (() => Promise<Blob>) | null;
  title: string;
  line: string;
  /** Sent before with this picture: sent again, because each try knows only its own marks. */
  sent?: Marks | undefined;
  earlier: readonly Step[];
  apply: { label: string; cost?: string; note: string };
  onApply: (marks: Marks, steps: Step[]) => void;
  /** Told at once after every step, so that a page that goes away loses nothing; the same function in each render. */
  onSteps?: (steps: Step[]) => void;
  /** Closed without applying; what was painted is handed back so that nothing is lost. */
  onClose: (steps: Step[]) => void;
};

export function MarkEditor(props: MarkEditorProps) {
  const { pictureId, photo, readCutout, title, line, onClose } = props;
  const loaded = useMade(pictureId, async () => loadPicture(photo, readCutout === null ? null : await readCutout()));
  const host = useRef<HTMLDivElement>(null);
  const markCanvas = useRef<MarkCanvas | null>(null);
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose(markCanvas.current?.steps ?? [...props.earlier])}>
      <Dialog.Portal>
        <Dialog.Backdrop className="scrim" />
        <Dialog.Popup className="whole-window marking" initialFocus={() => host.current ?? true}>
          <header className="window-head in-line marking-head">
            <Dialog.Title className="title-small">{title}</Dialog.Title>
            <Dialog.Description className="small is-good grows marking-line">{line}</Dialog.Description>
            <Dialog.Close className={buttonClass({ look: 'borderless', square: true })} aria-label="Close">
              <Icon name="close" />
            </Dialog.Close>
          </header>
          {typeof loaded === 'object' && <Painting {...props} loaded={loaded} hostOut={host} canvasOut={markCanvas} />}
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

type PaintingProps = MarkEditorProps & {
  loaded: Loaded;
  hostOut: RefObject<HTMLDivElement | null>;
  canvasOut: RefObject<MarkCanvas | null>;
};

function Painting({ loaded, hostOut, canvasOut, sent, earlier, apply, onApply, onSteps }: PaintingProps) {
  const id = useId();
  const [said, say] = useState('');
  const { attach, markCanvas, state } = useMarkCanvas({ loaded, earlier, hostOut, canvasOut, onSay: say, onSteps });
  usePointers(markCanvas, hostOut);
  const handleApply = () => {
    if (markCanvas !== null) onApply(foldSteps(markCanvas.steps, markCanvas.size, sent), markCanvas.steps);
  };
  return (
    <>
      <div
        ref={attach}
        className="window-room marking-canvas"
        role="application"
        aria-label="Your photo, paint here"
        aria-describedby={`${id}-keys`}
        tabIndex={0}
      >
        <canvas className="cover" aria-hidden="true" />
        <i className="brush-ring" hidden />
      </div>
      {markCanvas !== null && state !== null && (
        <MarkTools markCanvas={markCanvas} state={state}>
          <div className="marking-apply in-line">
            <span className="caption figures">{state.canUndo ? apply.note : 'Paint something first.'}</span>
            <Button look="primary" cost={apply.cost} disabled={!state.canUndo} onClick={handleApply}>
              {apply.label}
            </Button>
          </div>
        </MarkTools>
      )}
      <Keys id={`${id}-keys`} />
      <span className="sr-only" role="status">
        {said}
      </span>
    </>
  );
}

function Keys({ id }: { id: string }) {
  return (
    <details className="marking-keys">
      <summary className={buttonClass({})}>Keys</summary>
      <Facts id={id} className="popup small" facts={KEYS} />
    </details>
  );
}
