import type { IconNode } from 'lucide';
import { createElement } from 'react';

const STROKE_PX = 1.6;
const VIEW = 24;

/**
 * A decorative line drawing, hidden from screen readers. Public pages use it too, where `Icon` would bring all drawings
 * of the app.
 */
export function Drawing({ of: shapes, size = 20 }: { of: IconNode; size?: number }) {
  const lines = { fill: 'none', stroke: 'currentColor', strokeLinecap: 'round', strokeLinejoin: 'round' } as const;
  return (
    <svg
      className="drawing"
      width={size}
      height={size}
      viewBox={`0 0 ${VIEW} ${VIEW}`}
      strokeWidth={(STROKE_PX * VIEW) / size}
      aria-hidden="true"
      {...lines}
    >
      {shapes.map(([tag, attributes], key) => createElement(tag, { key, ...attributes }))}
    </svg>
  );
}
