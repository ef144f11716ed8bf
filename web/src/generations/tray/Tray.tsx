import { type FocusEvent, type ReactNode } from 'react';
import { useNavigate } from '@tanstack/react-router';
import { isTerminal, type Generation } from '@plinth/contract/generations';
import { nameTool, type ToolId, tools } from '@plinth/contract/tools';
import { useNow } from '../../platform/clock.ts';
import { BlobImage } from '../../ui/BlobImage.tsx';
import { Button } from '../../ui/Button.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Icon } from '../../ui/icons.tsx';
import '../generations.css';
import { endSentence, sayWork, useBefore } from '../followed.ts';
import { markSeen, showGeneration } from '../memory.ts';
import type { useTray } from './useTray.ts';

type TrayProps = { tray: ReturnType<typeof useTray> };

/**
 * Work that goes on while the user does something else. Beside a result it closes when it loses the focus. Screens
 * reserve space for its header, not for its rows.
 */
export function Tray({ tray }: TrayProps) {
  const { runningCount, resultInView, isOpen, setOpen, dismiss } = tray;
  const handleDismiss = () => {
    dismiss();
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
  };
  const handleBlur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (resultInView !== null && !currentTarget.contains(relatedTarget)) setOpen(false);
  };
  return (
    <section className="floating running-tray" aria-label="Running generations" tabIndex={-1} onBlur={handleBlur}>
      <div className="tray-head in-line">
        <button type="button" className="spread" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {trayTitle(runningCount)}
          <Icon name={isOpen ? 'down' : 'up'} />
        </button>
        {runningCount === 0 && <IconButton icon="close" label="Dismiss" onClick={handleDismiss} />}
      </div>
      {isOpen && <TrayRows {...tray} />}
    </section>
  );
}

export function trayTitle(runningCount: number): string {
  return runningCount === 0 ? 'Finished' : `${runningCount} running`;
}

type TrayRowsProps = Pick<ReturnType<typeof useTray>, 'sending' | 'rows'> & { onShow?: () => void };

export function TrayRows({ sending, rows, onShow }: TrayRowsProps) {
  return (
    <ul className="tray-rows">
      {sending.map((id) => (
        <Row key={id} toolId={id} says="Sending your photo" />
      ))}
      {rows.map((generation) => (
        <TrayRow key={generation.id} generation={generation} onShow={onShow} />
      ))}
    </ul>
  );
}

type TrayRowProps = { generation: Generation; onShow: (() => void) | undefined };

function TrayRow({ generation, onShow }: TrayRowProps) {
  const now = useNow(1000);
  const navigate = useNavigate();
  const picture = useBefore(generation);
  const handleShow = () => {
    showGeneration(generation);
    markSeen(generation.id);
    onShow?.();
    void navigate({ to: `/dashboard/${generation.tool}` });
  };
  return (
    <Row
      toolId={generation.tool}
      picture={picture && <BlobImage className="thumb" blob={picture} alt="" width={44} height={44} />}
      says={sayState(generation, now)}
    >
      {isTerminal(generation.status) && (
        <Button look="borderless" aria-label={`Show ${nameTool(tools[generation.tool])}`} onClick={handleShow}>
          Show
        </Button>
      )}
    </Row>
  );
}

type RowProps = { toolId: ToolId; picture?: ReactNode; says: ReactNode; children?: ReactNode };

function Row({ toolId, picture, says, children }: RowProps) {
  const tool = tools[toolId];
  return (
    <li className="in-line">
      <span className="thumb">{picture || <Icon name={tool.icon} />}</span>
      <span className="named grows">
        <b>{nameTool(tool)}</b>
        <span className="caption figures">{says}</span>
      </span>
      {children || <span className="spinner" aria-hidden="true" />}
    </li>
  );
}

function sayState(generation: Generation, now: number): ReactNode {
  if (generation.status === 'succeeded') return <span className="is-good">Ready</span>;
  if (isTerminal(generation.status)) return endSentence(generation);
  return sayWork(generation, now);
}
