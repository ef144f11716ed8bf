import type { Run, RunItem } from '@plinth/contract/runs';
import { tools } from '@plinth/contract/tools';
import { previewUrl } from '@plinth/contract/media';
import { plural } from '../../ui/format.ts';
import { FileButton } from '../upload/FileButton.tsx';
import { sayMissing } from '../run-sentences.ts';
import { groupByReason, ItemRow, nameOf, ReasonGroup, RunSection } from './ItemRow.tsx';
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
      {groupByReason(lacking, ({ missingFiles }) => sayMissing(tools[run.tool], missingFiles).join(' ')).map(
        ([reason, some]) => (
          <ReasonGroup
            key={reason}
            reason={reason}
            noun="picture"
            thumbs={some.map((item) => (
              <Picture key={item.id} run={run} item={item} />
            ))}
          >
            {some.map((item) => (
              <MissingRow key={item.id} run={run} item={item} />
            ))}
          </ReasonGroup>
        ),
      )}
    </RunSection>
  );
}

type MissingProps = { run: Run; item: RunItem };

function Picture({ run, item: { generation } }: MissingProps) {
  if (generation.result === null) return null;
  return (
    <img
      className={tools[run.tool].shows.kind === 'cutout' ? 'thumb checker' : 'thumb'}
      src={previewUrl(generation.result.mediaId, 320)}
      alt=""
      width={SIDE_PX}
      height={SIDE_PX}
      loading="lazy"
      decoding="async"
    />
  );
}

function MissingRow({ run, item }: MissingProps) {
  const { replace, isBusy } = useRunActs(run);
  const { sku, missingFiles } = item;
  const tool = tools[run.tool];
  const name = nameOf(item);
  const isTooSmall = missingFiles.some(({ refusal }) => refusal === 'picture_too_small');
  return (
    <ItemRow thumb={<Picture run={run} item={item} />} name={name} sku={sku}>
      {isTooSmall && run.status !== 'canceled' && (
        <FileButton
          label="Larger photo"
          name={`Larger photo, ${plural(tool.cost, 'credit')}, for ${name}`}
          cost={plural(tool.cost, 'credit')}
          asksServer
          busy={isBusy && 'Sending...'}
          onFile={(file) => replace(item, file, file.name)}
        />
      )}
    </ItemRow>
  );
}
