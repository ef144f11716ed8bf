import { toolIds, tools, type ToolId } from '@plinth/contract/tools';
import type { Tool } from '@plinth/contract/tool';
import { PhotoWays } from '../../media/PhotoWays.tsx';
import { buttonClass } from '../../ui/button-class.ts';
import { Icon } from '../../ui/icons.tsx';
import { MenuFrame } from '../../ui/MenuFrame.tsx';

const productTools: readonly ToolId[] = toolIds.filter((id) => {
  const { fields, shows }: Tool = tools[id];
  const kinds = Object.values(fields).map(({ kind }) => kind);
  return shows.kind !== 'cutout' && kinds.filter((kind) => kind === 'image').length === 1 && !kinds.includes('model');
});

export function UseInMenu({ mediaId }: { mediaId: string }) {
  const trigger = (
    <>
      Use this cut-out in…
      <Icon name="down" size={16} />
    </>
  );
  return (
    <MenuFrame trigger={trigger} className={buttonClass({ look: 'quiet' })} align="start">
      <PhotoWays mediaId={mediaId} toolIds={productTools} />
    </MenuFrame>
  );
}
