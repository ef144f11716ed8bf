import { useEffect, useRef, type CSSProperties } from 'react';
import { previewUrl } from '@plinth/contract/media';
import type { Placement } from '@plinth/contract/placement';
import type { Api } from '../../platform/api.ts';
import { useApi } from '../../platform/useApi.ts';
import { useMade } from '../../platform/useMade.ts';
import { BlobImage } from '../../ui/BlobImage.tsx';
import { Button } from '../../ui/Button.tsx';
import { ErrorBox } from '../../ui/ErrorBox.tsx';
import {
  findStanding,
  footOf,
  middleOf,
  toPlacement,
  turnOutline,
  type Outline,
  type Pixels,
  type Standing,
} from './standing.ts';
import { usePlacing } from './usePlacing.ts';

export type PlaceProductProps = {
  mediaId: string;
  photo: Blob;
  outline: Outline;
  placed: Placement;
  triesLeft: number;
  onPlace: (placement: Placement | null) => void;
  onClose: () => void;
};

type Loaded = { made: Blob; ratio: number; first: Standing; full: number };

export function PlaceProduct(props: PlaceProductProps) {
  const { mediaId, photo, outline, placed, onClose } = props;
  const api = useApi();
  const loaded = useMade(mediaId, () => load(api, mediaId, photo, outline, placed));
  if (loaded === 'failed') {
    return (
      <div className="stage-pic">
        <div className="stage-card paper">
          <ErrorBox>This picture could not be opened.</ErrorBox>
          <Button onClick={onClose}>Back to it</Button>
        </div>
      </div>
    );
  }
  if (loaded === undefined) {
    return (
      <div className="stage-pic" role="status">
        <span className="spinner" aria-hidden="true" />
        <span className="sr-only">Opening your product</span>
      </div>
    );
  }
  return <Placing {...props} {...loaded} />;
}

function Placing(props: PlaceProductProps & Loaded) {
  const { photo, outline, made, ratio, first, full, onClose } = props;
  const { standing, change, corners, held, onKeyDown } = usePlacing(first, full, outline, ratio);
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => frame.current?.focus({ preventScroll: true }), []);
  return (
    <>
      <div className="stage-pic" onKeyDown={({ key }) => key === 'Escape' && onClose()}>
        <div className="print-room">
          {/* A product is placed as on a canvas: the sliders below say and do the same. */}
          <div
            ref={frame}
            className="placing"
            role="application"
            aria-label="Your product: arrows move it, plus and minus scale it, brackets turn it"
            tabIndex={0}
            style={{ '--ratio': ratio } as CSSProperties}
            onKeyDown={onKeyDown}
            {...held}
          >
            <BlobImage blob={made} alt="" className="cover" />
            <div className="cover ghost" style={{ transform: toTransform(standing, outline, ratio) }}>
              <BlobImage blob={photo} className="cover" alt="" style={{ clipPath: toClip(outline) }} />
            </div>
            <Handles corners={corners} />
          </div>
        </div>
      </div>
      <PlacingFoot {...props} standing={standing} onChange={change} />
    </>
  );
}

type PlacingFootProps = Pick<PlaceProductProps, 'placed' | 'triesLeft' | 'onPlace' | 'onClose'> & {
  standing: Standing;
  full: number;
  onChange: (part: Partial<Standing>) => void;
};

function PlacingFoot({ standing, full, placed, triesLeft, onChange, onPlace, onClose }: PlacingFootProps) {
  const percent = Math.round((standing.size / full) * 100);
  const degrees = Math.round(standing.rotate);
  return (
    <div className="stage-foot cluster placing-foot">
      <Slider
        label="Size"
        unit="%"
        value={percent}
        least={25}
        most={400}
        onValue={(value) => onChange({ size: (value / 100) * full })}
      />
      <Slider label="Turn" unit="°" value={degrees} least={-45} most={45} onValue={(rotate) => onChange({ rotate })} />
      <span className="sr-only" role="status">
        {`${Math.round(standing.x * 100)} % across, ${Math.round(standing.y * 100)} % down`}
      </span>
      <Button
        look="primary"
        cost={`free, ${triesLeft} left`}
        asksServer
        onClick={() => onPlace(toPlacement(standing, full))}
      >
        Make it here
      </Button>
      {Object.keys(placed).length > 0 && (
        <Button asksServer onClick={() => onPlace(null)}>
          Back to its own place
        </Button>
      )}
      <Button look="borderless" onClick={onClose}>
        Keep this one
      </Button>
    </div>
  );
}

function Handles({
  corners: { left, right, top, bottom },
}: {
  corners: Record<'left' | 'right' | 'top' | 'bottom', number>;
}) {
  const at = (x: number, y: number): CSSProperties => ({ left: `${x * 100}%`, top: `${y * 100}%` });
  const around = {
    left: `${left * 100}%`,
    top: `${top * 100}%`,
    width: `${(right - left) * 100}%`,
    height: `${(bottom - top) * 100}%`,
  };
  return (
    <div aria-hidden="true">
      <i className="around" style={around} />
      {([at(left, top), at(right, top), at(left, bottom), at(right, bottom)] as const).map((place, corner) => (
        // One that is held must not be drawn anew where it goes.
        <i key={corner} className="handle" data-grip="size" style={place} />
      ))}
      <i className="handle turning" data-grip="turn" style={at((left + right) / 2, top)} />
    </div>
  );
}

type SliderProps = {
  label: string;
  unit: string;
  value: number;
  least: number;
  most: number;
  onValue: (value: number) => void;
};

function Slider({ label, unit, value, least, most, onValue }: SliderProps) {
  return (
    <label className="placing-slider in-line">
      <span className="caption">{label}</span>
      <input
        type="range"
        min={least}
        max={most}
        value={value}
        aria-valuetext={`${value} ${unit}`}
        onChange={(event) => onValue(event.currentTarget.valueAsNumber)}
      />
      <span className="caption figures">
        {value} {unit}
      </span>
    </label>
  );
}

function toTransform({ x, y, size, rotate }: Standing, outline: Outline, ratio: number): string {
  const [footX, footY] = footOf(turnOutline(outline, ratio, rotate));
  const [middleX, middleY] = middleOf(outline);
  const move = (right: number, down: number) => `translate(${right * 100}%, ${down * 100}%)`;
  return [
    move(x, y),
    `scale(${size})`,
    move(middleX - footX, middleY - footY),
    `rotate(${rotate}deg)`,
    move(-middleX, -middleY),
  ].join(' ');
}

const toClip = (outline: Outline) => `polygon(${outline.map(([x, y]) => `${x * 100}% ${y * 100}%`).join(', ')})`;

async function load(api: Api, mediaId: string, photo: Blob, outline: Outline, placed: Placement): Promise<Loaded> {
  const made = await api.file(previewUrl(mediaId, 1280));
  const [photoPixels, madePixels] = [await readPixels(photo), await readPixels(made)];
  const { x = 0.5, y = 0.85, scale = 1, rotate = 0 } = placed;
  const first = findStanding(photoPixels, outline, madePixels, rotate, placed) ?? { x, y, size: 0.6 * scale, rotate };
  return { made, ratio: madePixels.width / madePixels.height, first, full: first.size / scale };
}

const LOOKED_AT_PX = 160;

async function readPixels(blob: Blob): Promise<Pixels> {
  const bitmap = await createImageBitmap(blob);
  const share = LOOKED_AT_PX / Math.max(bitmap.width, bitmap.height);
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(bitmap.width * share));
  canvas.height = Math.max(1, Math.round(bitmap.height * share));
  const pen = canvas.getContext('2d');
  if (pen === null) throw new Error('no canvas');
  pen.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  return pen.getImageData(0, 0, canvas.width, canvas.height);
}
