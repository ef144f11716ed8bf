import {
  ArrowLeft,
  ArrowRight,
  Brush,
  Check,
  ChevronDown,
  ChevronUp,
  CircleUserRound,
  Clock,
  CodeXml,
  Copy,
  Download,
  Ellipsis,
  Eraser,
  Eye,
  EyeOff,
  FolderOpen,
  Image,
  KeyRound,
  LayoutGrid,
  LogOut,
  Maximize2,
  Menu,
  Minus,
  Move,
  Pause,
  Play,
  Plus,
  Redo2,
  Repeat2,
  RotateCw,
  Scissors,
  Shirt,
  SquareDashed,
  SquarePlay,
  SquareUserRound,
  Trash2,
  TriangleAlert,
  Undo2,
  Upload,
  X,
  type LucideProps,
} from 'lucide-react';
import type { ComponentType } from 'react';
import { Drawing } from './Drawing.tsx';

const drawings = {
  back: ArrowLeft,
  forward: ArrowRight,
  check: Check,
  down: ChevronDown,
  up: ChevronUp,
  person: CircleUserRound,
  clock: Clock,
  code: CodeXml,
  copy: Copy,
  download: Download,
  more: Ellipsis,
  show: Eye,
  hide: EyeOff,
  picture: Image,
  key: KeyRound,
  leave: LogOut,
  menu: Menu,
  play: Play,
  pause: Pause,
  folder: FolderOpen,
  catalogue: LayoutGrid,
  again: RotateCw,
  scissors: Scissors,
  garment: Shirt,
  portrait: SquareUserRound,
  video: SquarePlay,
  loop: Repeat2,
  trash: Trash2,
  warning: TriangleAlert,
  returned: Undo2,
  redo: Redo2,
  brush: Brush,
  eraser: Eraser,
  box: SquareDashed,
  plus: Plus,
  minus: Minus,
  move: Move,
  upload: Upload,
  large: Maximize2,
  close: X,
  credits: CreditMark,
} satisfies Record<string, ComponentType<LucideProps>>;

export type IconName = keyof typeof drawings;

export function Icon({ name, size }: { name: IconName; size?: number }) {
  return <Drawing of={drawings[name]} {...(size !== undefined && { size })} />;
}

function CreditMark({ size = 20, className }: LucideProps) {
  return (
    <svg width={size} height={size} viewBox="0 0 20 20" className={className} aria-hidden="true" {...stroke}>
      <circle cx="10" cy="10" r="7.3" />
      <circle cx="10" cy="10" r="3" />
    </svg>
  );
}

const stroke = { fill: 'none', stroke: 'currentColor', strokeWidth: 1.6, strokeLinecap: 'round' } as const;
