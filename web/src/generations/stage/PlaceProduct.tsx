import { useEffect, useRef, type CSSProperties } from 'react';
import type { Placement, PlacedProduct } from '@plinth/contract/placement';
import { BlobImage } from '../../ui/BlobImage.tsx';
import { Button } from '../../ui/Button.tsx';
import { Slider } from '../../ui/fields/Slider.tsx';
import { makeGhost, roundPlace, type Outline, type Place } from './placed-product.ts';
import { usePlacing } from './usePlacing.ts';

export type PlaceProductProps = {
  /** Address of the scene. */
  made: string;
  /** Placement of its product. */
  placed: PlacedProduct;
  /** True if the user placed it. */
  isPlaced: boolean;
  photo: Blob;
  outline: Outline;
  /** Width divided by height, of the photo and so of the scene. */
  ratio: number;
  /** Price of making it there, in words. */
  price: string;
  onPlace: (placement: Placement | null) => void;
  onClose: () => void;
};

export function PlaceProduct(props: PlaceProductProps) {
  const { made, placed, photo, outline, ratio, onClose } = props;
  const ghost = makeGhost(placed, outline, ratio);
  const { place, said, change, transform, corners, held, onKeyDown } = usePlacing(placed, ghost);
  const frame = useRef<HTMLDivElement>(null);
  // On a phone its picture may be above the visible part: the focus scrolls to it.
  useEffect(() => frame.current?.focus(), []);
  return (
    <>
      <div className="stage-pic" onKeyDown={({ key }) => key === 'Escape' && onClose()}>
        <div className="print-room">
          {/* A product is placed as on a canvas: the sliders below say and do the same. */}
          <div
            ref={frame}
            className="placing holder grabbable"
            role="application"
            aria-label="Your product: arrows move it, plus and minus scale it, brackets turn it"
            tabIndex={0}
            style={{ '--ratio': ratio } as CSSProperties}
            onKeyDown={onKeyDown}
            {...held}
          >
            <img src={made} alt="" className="cover" />
            <div className="cover ghost" style={{ transform }}>
              <BlobImage blob={photo} className="cover" alt="" style={{ clipPath: toClip(outline) }} />
            </div>
            <Handles corners={corners} />
          </div>
        </div>
      </div>
      <PlacingFoot {...props} place={place} onChange={change} />
      <span className="sr-only" role="status">
        {said}
      </span>
    </>
  );
}

type PlacingFootProps = Pick<PlaceProductProps, 'isPlaced' | 'price' | 'onPlace' | 'onClose'> & {
  place: Place;
  onChange: (part: Partial<Place>) => void;
};

function PlacingFoot({ place, isPlaced, price, onChange, onPlace, onClose }: PlacingFootProps) {
  return (
    <div className="stage-foot cluster placing-foot">
      <Button look="primary" cost={price} asksServer onClick={() => onPlace(roundPlace(place))}>
        Make it here
      </Button>
      {isPlaced && (
        <Button asksServer onClick={() => onPlace(null)}>
          Back to its own place
        </Button>
      )}
      <Button look="borderless" onClick={onClose}>
        Keep this one
      </Button>
      <div className="cluster placing-sliders">
        <Slider
          label="Size"
          unit="%"
          value={Math.round(place.scale * 100)}
          min={25}
          max={400}
          onValue={(value) => onChange({ scale: value / 100 })}
        />
        <Slider
          label="Turn"
          unit="°"
          value={Math.round(place.rotate)}
          min={-45}
          max={45}
          onValue={(rotate) => onChange({ rotate })}
        />
      </div>
    </div>
  );
}

function Handles({ corners: { left, right, top, bottom } }: Pick<ReturnType<typeof usePlacing>, 'corners'>) {
  const at = (x: number, y: number): CSSProperties => ({ left: `${x * 100}%`, top: `${y * 100}%` });
  const size = { width: `${(right - left) * 100}%`, height: `${(bottom - top) * 100}%` };
  return (
    <div aria-hidden="true">
      <i className="around" style={{ ...at(left, top), ...size }} />
      {([at(left, top), at(right, top), at(left, bottom), at(right, bottom)] as const).map((place, corner) => (
        // A held product must not be rendered anew at its new place.
        <i key={corner} className="handle" data-grip="size" style={place} />
      ))}
      <i className="handle turning" data-grip="turn" style={at((left + right) / 2, top)} />
    </div>
  );
}

const toClip = (outline: Outline) => `polygon(${outline.map(([x, y]) => `${x * 100}% ${y * 100}%`).join(', ')})`;
