import { Menu } from '@base-ui/react/menu';
import type { ReturnReason } from '@plinth/contract/generations';
import type { Tool } from '@plinth/contract/tool';
import { buttonClass } from '../../ui/button-class.ts';
import { plural } from '../../ui/format.ts';
import { MenuFrame } from '../../ui/MenuFrame.tsx';

const REASONS: readonly { reason: ReturnReason; says: string; fits: (tool: Tool) => boolean }[] = [
  { reason: 'edges', says: 'The edges are wrong', fits: ({ shows }) => shows.kind !== 'video' },
  {
    reason: 'scene',
    says: 'Not the scene I asked for',
    fits: ({ fields, shows }) => shows.kind !== 'video' && Object.values(fields).some(({ kind }) => kind === 'text'),
  },
  { reason: 'person', says: 'The person looks wrong', fits: ({ composes }) => composes === 'person' },
  { reason: 'motion', says: 'The movement is wrong', fits: ({ shows }) => shows.kind === 'video' },
  { reason: 'other', says: 'Something else', fits: () => true },
];

type ReturnMenuProps = { tool: Tool; isBusy: boolean; onReason: (reason: ReturnReason) => void };

export function ReturnMenu({ tool, isBusy, onReason }: ReturnMenuProps) {
  const credits = tool.cost === 1 ? 'the credit' : `the ${plural(tool.cost, 'credit')}`;
  return (
    <MenuFrame
      trigger={`Not usable? Get ${credits} back`}
      className={`${buttonClass({ look: 'borderless' })} give-back`}
      isOff={isBusy}
    >
      <Menu.Group>
        <Menu.GroupLabel className="popup-label caption">What is wrong? The result is deleted.</Menu.GroupLabel>
        {REASONS.filter(({ fits }) => fits(tool)).map(({ reason, says }) => (
          <Menu.Item key={reason} className="popup-item" onClick={() => onReason(reason)}>
            {says}
          </Menu.Item>
        ))}
      </Menu.Group>
    </MenuFrame>
  );
}
