import { Button } from './Button.tsx';
import { Icon } from './icons.tsx';

type ZoomButtonsProps = {
  percent: number;
  /** What a press on the figure leads to: "show the whole picture". */
  leadsTo: string;
  onFigure: () => void;
  onOut: () => void;
  onIn: () => void;
};

export function ZoomButtons({ percent, leadsTo, onFigure, onOut, onIn }: ZoomButtonsProps) {
  return (
    <div className="zoom-buttons in-line" role="group" aria-label="Zoom">
      <Button look="borderless" square aria-label="Zoom out" onClick={onOut}>
        <Icon name="minus" />
      </Button>
      <Button look="borderless" aria-label={`Zoom ${percent} %, ${leadsTo}`} onClick={onFigure}>
        <span className="figures">{percent} %</span>
      </Button>
      <Button look="borderless" square aria-label="Zoom in" onClick={onIn}>
        <Icon name="plus" />
      </Button>
    </div>
  );
}
