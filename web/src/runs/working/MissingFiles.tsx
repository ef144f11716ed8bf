import type { Run, RunItem } from '@plinth/contract/runs';
import { tools } from '@plinth/contract/tools';
import { previewUrl } from '@plinth/contract/media';
import { plural } from '../../ui/format.ts';
import { FileButton } from '../upload/FileButton.tsx';
import { priceOfRun } from '../run-form.ts';
import { sayMissing } from '../run-sentences.ts';
import { nameOf, Problems, SmallPicture } from './Problems.tsx';
import { useRunActs } from './useRunActs.ts';

export function MissingFiles({ run, items }: { run: Run; items: readonly RunItem[] }) {
  const lacking = items.filter(({ missingFiles }) => missingFiles.length > 0);
  const tool = tools[run.tool];
  if (lacking.length === 0) return null;
  return (
    <Problems
      title={`${plural(lacking.length, 'picture')} ${lacking.length === 1 ? 'lacks' : 'lack'} a marketplace file`}
      line={
        <p className="small">
          The archive holds the pictures themselves, but not these files. The others are complete.
        </p>
      }
      items={lacking}
      noun="picture"
      say={({ missingFiles }) => sayMissing(tool, missingFiles).join(' ')}
      thumb={({ generation: { result } }) =>
        result && <SmallPicture src={previewUrl(result.mediaId, 320)} isCutout={tool.shows.kind === 'cutout'} />
      }
      acts={(item) => <LargerPhoto run={run} item={item} />}
    />
  );
}

function LargerPhoto({ run, item }: { run: Run; item: RunItem }) {
  const { replace, isBusy } = useRunActs(run);
  const isTooSmall = item.missingFiles.some(({ refusal }) => refusal === 'picture_too_small');
  if (!isTooSmall || run.status === 'canceled') return null;
  const price = plural(priceOfRun(run), 'credit');
  return (
    <FileButton
      label="Larger photo"
      name={`Larger photo, ${price}, for ${nameOf(item)}`}
      cost={price}
      asksServer
      busy={isBusy && 'Sending...'}
      onFile={(file) => replace(item, file)}
    />
  );
}
