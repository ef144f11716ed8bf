import { useId, useState, type KeyboardEvent, type ReactNode } from 'react';
import type { Media } from '@plinth/contract/media';
import { useApi } from '../platform/useApi.ts';
import { Button } from '../ui/Button.tsx';
import { buttonClass } from '../ui/button-class.ts';
import { Icon } from '../ui/icons.tsx';
import { ZoomButtons } from '../ui/ZoomButtons.tsx';
import { downloadMedia } from './download.ts';
import { MoreMenu } from './MoreMenu.tsx';
import type { useView } from './useView.ts';
import type { Ground } from './ViewerPrint.tsx';

type Shown<Value> = { isShown: Value; show: (value: Value) => void };
type ViewerFootProps = {
  media: Media;
  view: ReturnType<typeof useView> | null;
  ground: GroundsProps | null;
  before: Shown<boolean> | null;
  actions: ReactNode;
  onDelete: () => void;
};

const CLIP_SHORTCUTS = [
  ['Your photo', 'B'],
  ['The one before, the next one', '← →'],
  ['Download', 'D'],
] as const;
const SHORTCUTS = [...CLIP_SHORTCUTS, ['Zoom', '+ − 0 1']] as const;

export function ViewerFoot({ media, view, ground, before, actions, onDelete }: ViewerFootProps) {
  const api = useApi();
  const actionsId = useId();
  const [areActionsOpen, setActionsOpen] = useState(false);
  return (
    <footer className="window-foot footing cluster viewer-foot">
      <div className="viewer-looks in-line">
        {before !== null && <BeforeButton {...before} />}
        {view !== null && (
          <ZoomButtons
            percent={Math.round((view.view?.scale ?? 1) * 100)}
            leadsTo={view.canMove ? 'show the whole picture' : 'show at 100 %'}
            onFigure={() => (view.canMove ? view.showWhole() : view.showFullSize())}
            onOut={view.zoomOut}
            onIn={view.zoomIn}
          />
        )}
        {ground !== null && <Grounds {...ground} />}
      </div>
      <div id={actionsId} className={areActionsOpen ? 'viewer-acts in-line is-open' : 'viewer-acts in-line'}>
        {actions}
      </div>
      <div className="viewer-keep in-line">
        <Button
          look="primary"
          icon={<Icon name="download" />}
          asksServer
          onClick={() => void downloadMedia(api, media)}
        >
          Download
        </Button>
        {/* Seen on a phone and in a low window, where the picture would have no room beside all of them. */}
        <span className="viewer-next">
          <Button
            aria-expanded={areActionsOpen}
            aria-controls={actionsId}
            onClick={() => setActionsOpen(!areActionsOpen)}
          >
            Next steps
            <Icon name={areActionsOpen ? 'down' : 'up'} size={16} />
          </Button>
        </span>
        <MoreMenu
          media={media}
          label="More actions"
          shortcuts={view === null ? CLIP_SHORTCUTS : SHORTCUTS}
          onDelete={onDelete}
        />
      </div>
    </footer>
  );
}

function BeforeButton({ isShown, show }: Shown<boolean>) {
  const handleKey = (isDown: boolean) => (event: KeyboardEvent) => {
    if (event.key !== ' ' && event.key !== 'Enter') return;
    event.preventDefault();
    show(isDown);
  };
  return (
    <button
      type="button"
      className={`${buttonClass({ look: 'quiet' })} viewer-before`}
      aria-pressed={isShown}
      title="Hold to see your photo (B)"
      onPointerDown={() => show(true)}
      onPointerUp={() => show(false)}
      onPointerLeave={() => show(false)}
      onPointerCancel={() => show(false)}
      onContextMenu={(event) => event.preventDefault()}
      onKeyDown={handleKey(true)}
      onKeyUp={handleKey(false)}
      onBlur={() => show(false)}
    >
      <Icon name="show" />
      Before
    </button>
  );
}

type GroundsProps = { chosen: Ground; choose: (ground: Ground) => void };

const GROUNDS: readonly { ground: Ground; name: string }[] = [
  { ground: 'checks', name: 'Checks' },
  { ground: '#ffffff', name: 'White' },
  { ground: '#000000', name: 'Black' },
];

function Grounds({ chosen, choose }: GroundsProps) {
  const isOwn = GROUNDS.every(({ ground }) => ground !== chosen);
  return (
    <div className="viewer-grounds in-line" role="group" aria-label="Background">
      {GROUNDS.map(({ ground, name }) => (
        <button
          key={ground}
          type="button"
          className={ground === 'checks' ? 'checker' : undefined}
          style={ground === 'checks' ? undefined : { background: ground }}
          aria-label={name}
          aria-pressed={chosen === ground}
          onClick={() => choose(ground)}
        />
      ))}
      <label className={isOwn ? 'any-colour chosen' : 'any-colour'} style={isOwn ? { background: chosen } : undefined}>
        <span className="sr-only">Any colour</span>
        <input
          type="color"
          className="laid-over"
          value={isOwn ? chosen : '#d8cfc2'}
          onChange={(event) => choose(event.currentTarget.value as Ground)}
        />
      </label>
    </div>
  );
}
