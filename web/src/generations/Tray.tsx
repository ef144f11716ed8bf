import { useState } from 'react';
import { useNavigate } from '@tanstack/react-router';
import { isTerminal, type Generation } from '@plinth/contract/generations';
import { tools } from '@plinth/contract/tools';
import { useNow } from '../platform/clock.ts';
import { BlobImage } from '../ui/BlobImage.tsx';
import { Button } from '../ui/Button.tsx';
import { formatElapsed } from '../ui/format.ts';
import { Icon } from '../ui/icons.tsx';
import './generations.css';
import type { Followed } from './running.ts';
import { useBefore } from './useBefore.ts';
import { useMarkSeen, useShowGeneration } from './useTray.ts';

type TrayProps = { rows: Followed; runningCount: number; userId: string };

/** Work that goes on while the person does something else. */
export function Tray({ rows, runningCount, userId }: TrayProps) {
  const [isOpen, setIsOpen] = useState(true);
  return (
    <section className="tray" aria-label="Running generations">
      <button type="button" className="tray-head" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        {trayTitle(runningCount)}
        <Icon name={isOpen ? 'down' : 'up'} />
      </button>
      {isOpen && <TrayRows rows={rows} userId={userId} />}
    </section>
  );
}

export function trayTitle(runningCount: number): string {
  return runningCount === 0 ? 'Finished' : `${runningCount} running`;
}

export function TrayRows({ rows, userId, onShow }: { rows: Followed; userId: string; onShow?: () => void }) {
  return (
    <ul className="tray-rows">
      {rows.map((generation) => (
        <TrayRow key={generation.id} generation={generation} userId={userId} onShow={onShow} />
      ))}
    </ul>
  );
}

type TrayRowProps = { generation: Generation; userId: string; onShow: (() => void) | undefined };

function TrayRow({ generation, userId, onShow }: TrayRowProps) {
  const navigate = useNavigate();
  const show = useShowGeneration();
  const markSeen = useMarkSeen();
  const picture = useBefore(generation.id, userId);
  const tool = tools[generation.tool];
  const handleShow = () => {
    show(generation);
    markSeen(generation.id);
    onShow?.();
    void navigate({ to: `/dashboard/${generation.tool}` });
  };
  return (
    <li>
      <span className="thumb">
        {picture ? <BlobImage blob={picture} alt="" width={40} height={40} /> : <Icon name={tool.icon} />}
      </span>
      <span className="min-w-0">
        <b>{tool.name}</b>
        <span className="tag num">
          <RowState generation={generation} />
        </span>
      </span>
      {isTerminal(generation.status) ? (
        <span className="flex items-center gap-1">
          {generation.status === 'succeeded' && (
            <span className="done-mark">
              <Icon name="check" />
            </span>
          )}
          <Button look="bare" aria-label={`Show ${tool.name}`} onClick={handleShow}>
            Show
          </Button>
        </span>
      ) : (
        <span className="spin" aria-hidden="true" />
      )}
    </li>
  );
}

function RowState({ generation }: { generation: Generation }) {
  const now = useNow(1000);
  if (generation.status === 'succeeded') return 'Ready';
  if (isTerminal(generation.status)) return 'Ended without a result';
  return `${generation.progress.message} ${formatElapsed(now - Date.parse(generation.createdAt))}`;
}
