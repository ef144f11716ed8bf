import { Button } from './Button.tsx';
import { IconButton } from './IconButton.tsx';

type ZoomButtonsProps = {
  percent: number;
  /** Action of the percentage button: "show the whole picture". */
  leadsTo: string;
  onFigure: () => void;
  onOut: () => void;
  onIn: () => void;
};

export function ZoomButtons({ percent, leadsTo, onFigure, onOut, onIn }: ZoomButtonsProps) {
  return (
    <div className="zoom-buttons in-line" role="group" aria-label="Zoom">
      <IconButton icon="minus" label="Zoom out" onClick={onOut} />
      <Button look="borderless" aria-label={`Zoom ${percent} %, ${leadsTo}`} onClick={onFigure}>
        <span className="figures">{percent} %</span>
      </Button>
      <IconButton icon="plus" label="Zoom in" onClick={onIn} />
    </div>
  );
}
