import type { Run, RunItem } from '@plinth/contract/runs';
import { tools } from '@plinth/contract/tools';
import { previewUrl } from '@plinth/contract/media';
import { useOnline } from '../../platform/online.ts';
import { plural } from '../../ui/format.ts';
import { FileButton } from '../upload/FileButton.tsx';
import { sayMissing } from '../run-sentences.ts';
import { ItemRow, RunSection } from './ItemRow.tsx';
import { useRunActs } from './useRunActs.ts';

const SIDE_PX = 44;

export function MissingFiles({ run, items }: { run: Run; items: readonly RunItem[] }) {
  const lacking = items.filter(({ missingFiles }) => missingFiles.length > 0);
  if (lacking.length === 0) return null;
  return (
    <RunSection
      title={`${plural(lacking.length, 'picture')} ${lacking.length === 1 ? 'lacks' : 'lack'} a marketplace file`}
    >
      <p className="small">The archive holds the pictures themselves, but not these files. The others are complete.</p>
      <ul className="surface divided">
        {lacking.map((item) => (
          <MissingRow key={item.id} run={run} item={item} />
        ))}
      </ul>
    </RunSection>
  );
}

function MissingRow({ run, item }: { run: Run; item: RunItem }) {
  const { replace, isBusy } = useRunActs(run);
  const isOnline = useOnline();
  const { filename, sku, generation, missingFiles } = item;
  const tool = tools[run.tool];
  const name = filename ?? sku ?? 'Photo';
  const isTooSmall = missingFiles.some(({ refusal }) => refusal === 'picture_too_small');
  const picture = generation.result && (
    <img
      className={tool.shows.kind === 'cutout' ? 'thumb checker' : 'thumb'}
      src={previewUrl(generation.result.mediaId, 320)}
      alt=""
      width={SIDE_PX}
      height={SIDE_PX}
      loading="lazy"
      decoding="async"
    />
  );
  return (
    <ItemRow thumb={picture} name={name} sku={sku} wrong={sayMissing(tool, missingFiles)}>
      {isTooSmall && run.status !== 'canceled' && (
        <FileButton
          label="Larger photo"
          name={`Larger photo, ${plural(tool.cost, 'credit')}, for ${name}`}
          cost={plural(tool.cost, 'credit')}
          disabled={!isOnline}
          busy={isBusy && 'Sending...'}
          onFile={(file) => replace(item, file, file.name)}
        />
      )}
    </ItemRow>
  );
}
