import * as lucide from 'lucide-react';
import type { ComponentType } from 'react';
import { Drawing } from './Drawing.tsx';

const drawings = {
  back: lucide.ArrowLeft,
  forward: lucide.ArrowRight,
  check: lucide.Check,
  down: lucide.ChevronDown,
  up: lucide.ChevronUp,
  person: lucide.CircleUserRound,
  clock: lucide.Clock,
  code: lucide.CodeXml,
  copy: lucide.Copy,
  dot: lucide.Dot,
  download: lucide.Download,
  more: lucide.Ellipsis,
  show: lucide.Eye,
  picture: lucide.Image,
  key: lucide.KeyRound,
  leave: lucide.LogOut,
  menu: lucide.Menu,
  play: lucide.Play,
  pause: lucide.Pause,
  folder: lucide.FolderOpen,
  catalogue: lucide.LayoutGrid,
  again: lucide.RotateCw,
  scissors: lucide.Scissors,
  garment: lucide.Shirt,
  portrait: lucide.SquareUserRound,
  video: lucide.SquarePlay,
  loop: lucide.Repeat2,
  trash: lucide.Trash2,
  warning: lucide.TriangleAlert,
  returned: lucide.Undo2,
  redo: lucide.Redo2,
  brush: lucide.Brush,
  eraser: lucide.Eraser,
  box: lucide.SquareDashed,
  plus: lucide.Plus,
  minus: lucide.Minus,
  move: lucide.Move,
  upload: lucide.Upload,
  large: lucide.Maximize2,
  close: lucide.X,
  credits: CreditMark,
} satisfies Record<string, ComponentType<lucide.LucideProps>>;

export type IconName = keyof typeof drawings;

export function Icon({ name, size }: { name: IconName; size?: number }) {
  return <Drawing of={drawings[name]} {...(size !== undefined && { size })} />;
}

function CreditMark({ size = 20, className }: lucide.LucideProps) {
  return (
    <svg width={size} height={size} viewBox="0 0 20 20" className={className} aria-hidden="true" {...stroke}>
      <circle cx="10" cy="10" r="7.3" />
      <circle cx="10" cy="10" r="3" />
    </svg>
  );
}

const stroke = { fill: 'none', stroke: 'currentColor', strokeWidth: 1.6, strokeLinecap: 'round' } as const;
