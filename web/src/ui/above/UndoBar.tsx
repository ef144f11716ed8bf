import { Button } from '../Button.tsx';
import { Icon } from '../icons.tsx';

export function UndoBar({ says, onUndo }: { says: string; onUndo: () => void }) {
  return (
    <div className="floating undo-bar in-line">
      <Icon name="trash" />
      <span className="grows" role="status">
        {says}
      </span>
      <Button onClick={onUndo}>Undo</Button>
    </div>
  );
}
