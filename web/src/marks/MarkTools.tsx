import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import { Button } from '../ui/Button.tsx';
import { Icon, type IconName } from '../ui/icons.tsx';
import { Segmented } from '../ui/Segmented.tsx';
import { Slider } from '../ui/Slider.tsx';
import { ZoomButtons } from '../ui/ZoomButtons.tsx';
import { choose, LEAST_DIAMETER, MOST_DIAMETER, redo, resizeBrush, undo, type Marking, type Tool } from './marking.ts';
import type { MarkView } from './useMarkView.ts';

const named = (icon: IconName, name: string) => (
  <>
    <Icon name={icon} size={16} />
    {name}
  </>
);
const NAMES: Record<Tool, ReactNode> = {
  keep: named('brush', 'Keep'),
  drop: named('eraser', 'Remove'),
  box: named('box', 'Box'),
};

export function MarkTools({ marking, view, children }: { marking: Marking; view: MarkView; children: ReactNode }) {
  const { tool, diameter, steps, undone } = useStore(marking);
  return (
    <div className="window-foot cluster marking-tools">
      <Segmented
        className="mark-brushes"
        label="Tool"
        names={NAMES}
        value={tool}
        onChange={(next) => choose(marking, next)}
      />
      <Slider
        label="Size"
        aria-label="Brush size"
        min={LEAST_DIAMETER}
        max={MOST_DIAMETER}
        value={diameter}
        disabled={tool === 'box'}
        onValue={(value) => resizeBrush(marking, value)}
      />
      <div className="in-line">
        <Button look="borderless" square aria-label="Undo" disabled={steps.length === 0} onClick={() => undo(marking)}>
          <Icon name="returned" />
        </Button>
        <Button look="borderless" square aria-label="Redo" disabled={undone.length === 0} onClick={() => redo(marking)}>
          <Icon name="redo" />
        </Button>
      </div>
      <ZoomButtons
        percent={view.percent}
        leadsTo="show the whole picture"
        onFigure={view.showWhole}
        onOut={() => view.zoom(0.8)}
        onIn={() => view.zoom(1.25)}
      />
      {children}
    </div>
  );
}
