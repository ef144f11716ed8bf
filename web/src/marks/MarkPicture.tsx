import { memo, useId } from 'react';
import { useStore } from 'zustand';
import type { Size } from '../platform/pan-zoom.ts';
import { BlobImage } from '../ui/BlobImage.tsx';
import { handlesOf, inPixels } from './box.ts';
import type { Marking } from './marking.ts';
import { boxOf, linesOf, type Box, type Stroke } from './marks.ts';
import type { MarkView, Pointed } from './useMarkView.ts';

const HATCH_PX = 8;
/** Overlay colour: visible on a photo and next to white. */
const DARK = '#0c0d0d';

type MarkPictureProps = { marking: Marking; view: MarkView; pointed: Pointed | null };

/** The photo with a dark overlay over its background, and above both the strokes, the box and the brush. */
export function MarkPicture({ marking, view, pointed }: MarkPictureProps) {
  const { steps, stroke, drag, tool, diameter } = useStore(marking);
  const { photo, size, background } = marking.loaded;
  const { scale, corner } = view;
  const box = drag === null ? boxOf(steps) : drag.box;
  const strokes = steps.filter((step) => step.kind !== 'box');
  // While the edges are not known, the strokes themselves stay visible.
  const shown = [...(background === null ? strokes : []), ...(stroke === null ? [] : [stroke])];
  const [hatch, cover] = [useId(), useId()];
  const [left, top, right, bottom] = box === null ? [] : inPixels(box, size);
  return (
    <>
      <BlobImage
        blob={photo}
        alt=""
        draggable={false}
        style={{ left: corner.x, top: corner.y, width: size.width * scale, height: size.height * scale }}
      />
      <svg className="cover" aria-hidden="true">
        <pattern
          id={hatch}
          width={HATCH_PX}
          height={HATCH_PX}
          patternUnits="userSpaceOnUse"
          patternTransform={`scale(${1 / scale})`}
        >
          <path fill="rgb(226 58 48 / .34)" d={`M0 0H${HATCH_PX}V${HATCH_PX}H0Z`} />
          <path
            stroke="rgb(255 255 255 / .85)"
            strokeWidth={1.3}
            d={`M-1 1L1 -1M0 ${HATCH_PX}L${HATCH_PX} 0M7 9L9 7`}
          />
        </pattern>
        <mask id={cover} maskUnits="userSpaceOnUse" x={0} y={0} {...size}>
          {background && <image href={background.address} {...size} />}
          {strokes.map((step, at) => (
            <Painted key={at} stroke={step} size={size} colour={step.kind === 'keep' ? '#000' : '#fff'} />
          ))}
          {box && (
            <path
              fill="#fff"
              fillRule="evenodd"
              d={`M0 0H${size.width}V${size.height}H0ZM${left} ${top}H${right}V${bottom}H${left}Z`}
            />
          )}
        </mask>
        <g transform={`translate(${corner.x} ${corner.y}) scale(${scale})`}>
          <rect fill={DARK} opacity={0.74} {...size} mask={`url(#${cover})`} />
          {shown.map((step, at) => (
            <Painted key={at} stroke={step} size={size} colour={step.kind === 'keep' ? KEPT : `url(#${hatch})`} />
          ))}
        </g>
        {box && <BoxFrame box={box} view={view} size={size} />}
        {pointed && (
          <Brush radius={tool === 'box' ? null : diameter / 2} isDashed={tool === 'drop'} {...{ view, pointed }} />
        )}
      </svg>
    </>
  );
}

/** Green for keep; red and hatched for remove, so that colour is not the only difference. */
const KEPT = 'rgb(18 190 110 / .34)';

const Painted = memo(function Painted({ stroke, size, colour }: { stroke: Stroke; size: Size; colour: string }) {
  return (
    <g fill="none" stroke={colour} strokeLinecap="round" strokeLinejoin="round">
      {linesOf(stroke, size).map(({ path, width }, at) => (
        <path key={at} d={path} strokeWidth={width} />
      ))}
    </g>
  );
});

function BoxFrame({ box, size, view: { scale, corner } }: { box: Box; size: Size; view: MarkView }) {
  const { width, height } = { width: size.width * scale, height: size.height * scale };
  const [left, top, right, bottom] = inPixels(box, { width, height });
  const sides = { x: left, y: top, width: right - left, height: bottom - top };
  return (
    <g fill="none" stroke="#fff" strokeWidth={2} transform={`translate(${corner.x} ${corner.y})`}>
      <rect stroke={DARK} strokeWidth={4} {...sides} />
      <rect {...sides} />
      {handlesOf([left, top, right, bottom]).map(({ x, y }) => (
        <rect key={`${x} ${y}`} fill="#fff" stroke={DARK} x={x - 6} y={y - 6} width={12} height={12} />
      ))}
    </g>
  );
}

const CROSS = 'M-8 0H8M0 -8V8';

type BrushProps = { radius: number | null; isDashed: boolean; view: MarkView; pointed: Pointed };

/** Dark and light, so it is visible on every photo. */
function Brush({ radius, isDashed, view, pointed }: BrushProps) {
  const isCross = 'place' in pointed;
  const { x, y } = isCross ? view.toWindow(pointed.place) : pointed.window;
  const lines = (
    <>
      {radius !== null && <circle r={radius} strokeDasharray={isDashed ? 4 : undefined} />}
      {isCross && <path d={CROSS} />}
    </>
  );
  return (
    <g transform={`translate(${x} ${y})`} fill="none">
      <g stroke={DARK} strokeWidth={4}>
        {lines}
      </g>
      <g stroke="#fff" strokeWidth={1.5}>
        {lines}
      </g>
    </g>
  );
}
