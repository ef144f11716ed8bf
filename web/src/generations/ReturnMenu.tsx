import { Menu } from '@base-ui/react/menu';
import type { ReturnReason } from '@plinth/contract/generations';
import { buttonClass } from '../ui/button-class.ts';
import { plural } from '../ui/format.ts';

const REASONS: readonly { reason: ReturnReason; says: string }[] = [
  { reason: 'edges', says: 'The edges are wrong' },
  { reason: 'scene', says: 'Not the scene I asked for' },
  { reason: 'person', says: 'The person looks wrong' },
  { reason: 'motion', says: 'The movement is wrong' },
  { reason: 'other', says: 'Something else' },
];

type ReturnMenuProps = { cost: number; isBusy: boolean; onReason: (reason: ReturnReason) => void };

/** One tap says why, and the credit is back. */
export function ReturnMenu({ cost, isBusy, onReason }: ReturnMenuProps) {
  const credits = cost === 1 ? 'the credit' : `the ${plural(cost, 'credit')}`;
  return (
    <Menu.Root>
      <Menu.Trigger className={`${buttonClass({ look: 'bare' })} give-back`} disabled={isBusy}>
        {`Not usable? Get ${credits} back`}
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className="positioner" sideOffset={6} align="end">
          <Menu.Popup className="popup">
            <Menu.Group>
              <Menu.GroupLabel className="popup-label tag">What is wrong? The result is deleted.</Menu.GroupLabel>
              {REASONS.map(({ reason, says }) => (
                <Menu.Item key={reason} className="popup-item" onClick={() => onReason(reason)}>
                  {says}
                </Menu.Item>
              ))}
            </Menu.Group>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
