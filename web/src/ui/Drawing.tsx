import type { LucideProps } from 'lucide-react';
import type { ComponentType } from 'react';

/**
 * A decorative line drawing, hidden from screen readers. Public pages use it too, where `Icon` would bring all drawings
 * of the app.
 */
export function Drawing({ of: Shape, size = 20 }: { of: ComponentType<LucideProps>; size?: number }) {
  return <Shape className="drawing" size={size} strokeWidth={1.6} absoluteStrokeWidth aria-hidden="true" />;
}
