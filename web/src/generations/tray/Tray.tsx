import { useState, type FocusEvent } from 'react';
import { useNavigate } from '@tanstack/react-router';
import { isTerminal, type Generation } from '@plinth/contract/generations';
import { nameTool, tools } from '@plinth/contract/tools';
import { useNow } from '../../platform/clock.ts';
import { COMPACT, useMediaQuery } from '../../platform/media-query.ts';
import { BlobImage } from '../../ui/BlobImage.tsx';
import { Button } from '../../ui/Button.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Icon } from '../../ui/icons.tsx';
import '../generations.css';
import { sayWork, type Followed } from '../running.ts';
import { useBefore } from '../useBefore.ts';
import { markSeen, showGeneration } from '../memory.ts';
import type { useTray } from './useTray.ts';

type TrayProps = { tray: ReturnType<typeof useTray> };

/**
 * Work that goes on while the person does something else. Beside a result, and in a narrow window, it is closed until
 * somebody opens it; beside a result it closes when they turn away. Screens keep the room of its head clear, not that
 * of its rows.
 */
export function Tray({ tray }: TrayProps) {
  const { rows, running, resultInView, dismiss } = tray;
  const [chosen, choose] = useState<{ beside: string | null; isOpen: boolean } | null>(null);
  const isCompact = useMediaQuery(COMPACT);
  const isOpen = chosen?.beside === resultInView ? chosen.isOpen : resultInView === null && !isCompact;
  const setIsOpen = (open: boolean) => choose({ beside: resultInView, isOpen: open });
  const handleDismiss = () => {
    dismiss();
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
  };
  const handleBlur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (resultInView !== null && !currentTarget.contains(relatedTarget)) setIsOpen(false);
  };
  return (
    <section className="floating running-tray" aria-label="Running generations" tabIndex={-1} onBlur={handleBlur}>
      <div className="tray-head in-line">
        <button type="button" className="spread" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {trayTitle(running.length)}
          <Icon name={isOpen ? 'down' : 'up'} />
        </button>
        {running.length === 0 && <IconButton icon="close" label="Dismiss" onClick={handleDismiss} />}
      </div>
      {isOpen && <TrayRows rows={rows} />}
    </section>
  );
}

export function trayTitle(runningCount: number): string {
  return runningCount === 0 ? 'Finished' : `${runningCount} running`;
}

export function TrayRows({ rows, onShow }: { rows: Followed; onShow?: () => void }) {
  return (
    <ul className="tray-rows">
      {rows.map((generation) => (
        <TrayRow key={generation.id} generation={generation} onShow={onShow} />
      ))}
    </ul>
  );
}

type TrayRowProps = { generation: Generation; onShow: (() => void) | undefined };

function TrayRow({ generation, onShow }: TrayRowProps) {
  const navigate = useNavigate();
  const picture = useBefore(generation.id);
  const tool = tools[generation.tool];
  const handleShow = () => {
    showGeneration(generation);
    markSeen(generation.id);
    onShow?.();
    void navigate({ to: `/dashboard/${generation.tool}` });
  };
  return (
    <li className="in-line">
      <span className="thumb">
        {picture ? (
          <BlobImage className="thumb" blob={picture} alt="" width={44} height={44} />
        ) : (
          <Icon name={tool.icon} />
        )}
      </span>
      <span className="named grows">
        <b>{nameTool(tool)}</b>
        <span className="caption figures">
          <RowState generation={generation} />
        </span>
      </span>
      {isTerminal(generation.status) ? (
        <Button look="borderless" aria-label={`Show ${nameTool(tool)}`} onClick={handleShow}>
          Show
        </Button>
      ) : (
        <span className="spinner" aria-hidden="true" />
      )}
    </li>
  );
}

function RowState({ generation }: { generation: Generation }) {
  const now = useNow(1000);
  if (generation.status === 'succeeded') return <span className="is-good">Ready</span>;
  if (isTerminal(generation.status)) return 'Ended without a result';
  return sayWork(generation, now);
}
