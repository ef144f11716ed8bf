import type { Tool } from '@plinth/contract/tool';
import { CancelQuestion } from '../../ui/CancelQuestion.tsx';
import { plural } from '../../ui/format.ts';

type CancelDialogProps = { tool: Tool; cost: number; isOpen: boolean; onClose: () => void; onCancel: () => void };

export function CancelDialog({ tool, cost, ...rest }: CancelDialogProps) {
  const thing = tool.mediaType === 'product_image' ? 'picture' : 'video';
  const isOne = cost === 1;
  return (
    <CancelQuestion title="Cancel this generation?" action="Cancel generation" {...rest}>
      {cost === 0 ? (
        'It stops. What you had before stays.'
      ) : (
        <>
          It stops and its {plural(cost, 'credit')} {isOne ? 'comes' : 'come'} back. If it finishes first, you keep the{' '}
          {thing} and the {isOne ? 'credit stays' : 'credits stay'} spent.
        </>
      )}
    </CancelQuestion>
  );
}
