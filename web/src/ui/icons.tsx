import * as lucide from 'lucide';
import { Drawing } from './Drawing.tsx';

const COIN: lucide.IconNode = [
  ['circle', { cx: 12, cy: 12, r: 8.76 }],
  ['circle', { cx: 12, cy: 12, r: 3.6 }],
];

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
  credits: COIN,
} satisfies Record<string, lucide.IconNode>;

export type IconName = keyof typeof drawings;

export function Icon({ name, size }: { name: IconName; size?: number }) {
  return <Drawing of={drawings[name]} {...(size !== undefined && { size })} />;
}
