import type { ReactNode } from 'react';
import { Button } from '../ui/Button.tsx';
import { Icon, type IconName } from '../ui/icons.tsx';
import { ZoomButtons } from '../ui/ZoomButtons.tsx';
import { LEAST_DIAMETER, MOST_DIAMETER, type MarkCanvas, type MarkCanvasState, type Tool } from './mark-canvas.ts';

const TOOLS: readonly { tool: Tool; label: string; icon: IconName }[] = [
  { tool: 'keep', label: 'Keep', icon: 'brush' },
  { tool: 'drop', label: 'Remove', icon: 'eraser' },
  { tool: 'box', label: 'Box', icon: 'box' },
];

type Marking = { markCanvas: MarkCanvas; state: MarkCanvasState };

export function MarkTools({ markCanvas, state, children }: Marking & { children: ReactNode }) {
  return (
    <div className="window-foot cluster marking-tools">
      <div className="segmented mark-brushes" role="group" aria-label="Tool">
        {TOOLS.map(({ tool, label, icon }) => (
          <button
            key={tool}
            type="button"
            data-tool={tool}
            aria-pressed={state.tool === tool}
            onClick={() => markCanvas.choose(tool)}
          >
            <Icon name={icon} size={16} />
            {label}
          </button>
        ))}
      </div>
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
