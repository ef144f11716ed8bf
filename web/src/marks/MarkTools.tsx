import type { ReactNode } from 'react';
import { Button } from '../ui/Button.tsx';
import { Icon, type IconName } from '../ui/icons.tsx';
import { Segmented } from '../ui/Segmented.tsx';
import { ZoomButtons } from '../ui/ZoomButtons.tsx';
import { LEAST_DIAMETER, MOST_DIAMETER, type MarkCanvas, type MarkCanvasState, type Tool } from './mark-canvas.ts';

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

type Marking = { markCanvas: MarkCanvas; state: MarkCanvasState };

export function MarkTools({ markCanvas, state, children }: Marking & { children: ReactNode }) {
  return (
    <div className="window-foot cluster marking-tools">
      <Segmented
        className="mark-brushes"
        label="Tool"
        names={NAMES}
        value={state.tool}
        onChange={(tool) => markCanvas.choose(tool)}
      />
      <label className="brush-size in-line">
        <span className="caption">Size</span>
        <input
          type="range"
          min={LEAST_DIAMETER}
          max={MOST_DIAMETER}
          value={state.diameter}
          disabled={state.tool === 'box'}
          aria-label="Brush size"
          onChange={(event) => markCanvas.resizeBrush(event.currentTarget.valueAsNumber)}
        />
        <span className="caption figures">{state.diameter}</span>
      </label>
      <StepsBack markCanvas={markCanvas} state={state} />
      <ZoomButtons
        percent={state.zoomPercent}
        leadsTo="show the whole picture"
        onFigure={() => markCanvas.fit()}
        onOut={() => markCanvas.zoom(0.8)}
        onIn={() => markCanvas.zoom(1.25)}
      />
      {children}
    </div>
  );
}

function StepsBack({ markCanvas, state }: Marking) {
  return (
    <div className="in-line">
      <Button look="borderless" square aria-label="Undo" disabled={!state.canUndo} onClick={() => markCanvas.undo()}>
        <Icon name="returned" />
      </Button>
      <Button look="borderless" square aria-label="Redo" disabled={!state.canRedo} onClick={() => markCanvas.redo()}>
        <Icon name="redo" />
      </Button>
    </div>
  );
}
