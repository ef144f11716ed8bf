import type { LucideProps } from 'lucide-react';
import type { ComponentType } from 'react';

/**
 * A decorative line drawing; the words beside it carry the meaning. For what stands on public pages, too, which would
 * carry all drawings of the app for one `Icon`.
 */
export function Drawing({ of: Shape, size = 20 }: { of: ComponentType<LucideProps>; size?: number }) {
  return <Shape className="drawing" size={size} strokeWidth={1.6} absoluteStrokeWidth aria-hidden="true" />;
}
