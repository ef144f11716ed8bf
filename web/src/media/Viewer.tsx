import { Dialog } from '@base-ui/react/dialog';
import { useState, type KeyboardEvent, type ReactNode } from 'react';
import type { Media } from '@plinth/contract/media';
import { nameTool, tools } from '@plinth/contract/tools';
import type { Tool } from '@plinth/contract/tool';
import { ARROWS } from '../platform/pan-zoom.ts';
import { useApi } from '../platform/useApi.ts';
import { buttonClass } from '../ui/button-class.ts';
import { Icon } from '../ui/icons.tsx';
import { downloadMedia } from './download.ts';
import { useView } from './useView.ts';
import './viewer.css';
import { ViewerFoot } from './ViewerFoot.tsx';
import { Print, type Ground } from './ViewerPrint.tsx';

export type ViewerProps = {
  media: Media;
  /** Position among the results to page through, from 1, and their number; null if unknown. */
  position: { at: number; of: number } | null;
  actions: ReactNode;
  onTurn: (step: 1 | -1) => void;
  onDelete: () => void;
  onClose: () => void;
};

const PAN_PX = 80;

export function Viewer({ media, position, actions, onTurn, onDelete, onClose }: ViewerProps) {
  const api = useApi();
  const tool: Tool = tools[media.tool];
  const [room, setRoom] = useState<HTMLDivElement | null>(null);
  const [isBare, setIsBare] = useState(false);
  const [isBefore, setIsBefore] = useState(false);
  const [ground, setGround] = useState<Ground>('checks');
  const isVideo = media.contentType.startsWith('video/');
  const view = useView(room, media, isVideo, {
    onTurn,
    onPullDown: onClose,
    onTap: () => setIsBare(!isBare),
  });
  const words = Object.values(media.input ?? {})[0] ?? '';
  const hasBefore = media.input !== null;

  const handleKey = useKeys(view, {
    ArrowLeft: () => onTurn(-1),
    ArrowRight: () => onTurn(1),
    d: () => void downloadMedia(api, media),
    ...(hasBefore && { b: () => setIsBefore(true) }),
  });
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Popup
          className={isBare ? 'whole-window viewer only-picture' : 'whole-window viewer'}
          initialFocus={() => room ?? true}
          onKeyDown={handleKey}
          onKeyUp={(event) => event.key === 'b' && setIsBefore(false)}
        >
          <Head tool={tool} words={isBefore ? 'Your photo' : words} title={words} position={position} />
          <div
            ref={setRoom}
            className={view.canMove ? 'window-room viewer-room grabbable' : 'window-room viewer-room'}
            role="group"
            aria-label={isVideo ? 'Video' : 'Picture'}
            tabIndex={-1}
          >
            <Print key={media.id} media={media} tool={tool} view={view.view} ground={ground} isBefore={isBefore} />
          </div>
          {position !== null && position.of > 1 && <Turns position={position} onTurn={onTurn} />}
          <ViewerFoot
            media={media}
            view={isVideo ? null : view}
            ground={tool.shows.kind === 'cutout' ? { chosen: ground, choose: setGround } : null}
            before={hasBefore ? { isShown: isBefore, show: setIsBefore } : null}
            actions={actions}
            onDelete={onDelete}
          />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

type HeadProps = Pick<ViewerProps, 'position'> & { tool: Tool; words: string; title: string };

function Head({ tool, words, title, position }: HeadProps) {
  return (
    <header className="window-head in-line viewer-head">
      <Dialog.Title className="control-text cut-off">{nameTool(tool)}</Dialog.Title>
      <p className="viewer-words cut-off small" title={title} dir="auto">
        {words}
      </p>
      {position !== null && (
        <span className="caption figures one-line" role="status">
          {position.at} of {position.of}
        </span>
      )}
      <Dialog.Close className={buttonClass({ look: 'borderless', square: true })} aria-label="Close">
        <Icon name="close" />
      </Dialog.Close>
    </header>
  );
}

function useKeys(view: ReturnType<typeof useView>, own: Record<string, () => void>) {
  const zooms = { '+': view.zoomIn, '=': view.zoomIn, '-': view.zoomOut, 0: view.showWhole, 1: view.showFullSize };
  const keys: Record<string, () => void> = { ...own, ...zooms };
  return (event: KeyboardEvent<HTMLElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    // Ignores keys pressed in a menu opened from here, in the colour field or in the player.
    if (!event.currentTarget.contains(event.target as Element)) return;
    if (event.target instanceof Element && event.target.matches('input, video')) return;
    const arrow = view.canMove ? ARROWS[event.key] : undefined;
    const act = arrow ? () => view.move({ x: -PAN_PX * arrow[0], y: -PAN_PX * arrow[1] }) : keys[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  };
}

type TurnsProps = { position: { at: number; of: number }; onTurn: ViewerProps['onTurn'] };

const TURNS = [
  { step: -1, side: 'to-before', name: 'The one before', icon: 'back' },
  { step: 1, side: 'to-next', name: 'The next one', icon: 'forward' },
] as const;

function Turns({ position, onTurn }: TurnsProps) {
  return TURNS.map(({ step, side, name, icon }) => (
    <button
      key={side}
      type="button"
      className={`${buttonClass({ square: true })} viewer-turn ${side}`}
      aria-label={name}
      disabled={position.at === (step < 0 ? 1 : position.of)}
      onClick={() => onTurn(step)}
    >
      <Icon name={icon} />
    </button>
  ));
}
