import { Link } from '@tanstack/react-router';
import { previewUrl } from '@plinth/contract/media';
import type { PackId } from '@plinth/contract/pack-names';
import { describePack, type PackCheck, packPreviewUrl, packs } from '@plinth/contract/packs';
import { mainPictureField } from '@plinth/contract/tool-fields';
import { tools, type ToolId } from '@plinth/contract/tools';
import { Button } from '../ui/Button.tsx';
import { buttonClass } from '../ui/button-class.ts';
import { Icon } from '../ui/icons.tsx';
import { Rules } from './Rules.tsx';
import { judgeExport, sayFile } from './verdict.ts';

/** Where a background is removed. */
const MENDER = 'remover' satisfies ToolId;
const SOURCE_PX = 320;

type PackCardProps = {
  id: PackId;
  mediaId: string;
  /** What made it: with a larger photo it makes a larger picture. */
  toolId: ToolId;
  /** Undefined while it is measured. */
  check: PackCheck | undefined;
  isCutout: boolean;
  /** The look of its file; null for a plain one. */
  lookId: string | null;
  isChosen: boolean;
  onChoose: (isChosen: boolean) => void;
  onSave: () => void;
  /** The person goes to where the picture is mended. */
  onLeave: () => void;
};

/** One marketplace: its file as it will be, what was measured, and the click for the file or for what mends it. */
export function PackCard({
  id,
  mediaId,
  toolId,
  check,
  isCutout,
  lookId,
  isChosen,
  onChoose,
  onSave,
  onLeave,
}: PackCardProps) {
  const { name, picture } = packs[id];
  const verdict = check && judgeExport(check, isCutout);
  const isPossible = verdict?.kind === 'file';
  const needsCutout = check?.refusal === 'cutout_needed';
  const wayTool = needsCutout ? MENDER : toolId;
  const size = picture.width === null ? {} : { width: picture.width, height: picture.height };
  return (
    <li className={`pack-card ${verdict?.kind ?? ''}`}>
      <div className={picture.width === null ? 'pack-shown checker' : 'pack-shown'}>
        {check !== undefined && !needsCutout && (
          <img src={packPreviewUrl(mediaId, id, isCutout ? lookId : null)} alt="" {...size} loading="lazy" />
        )}
        {needsCutout && <img className="source" src={previewUrl(mediaId, SOURCE_PX)} alt="" loading="lazy" />}
      </div>
      <label className="pack-name">
        <input
          type="checkbox"
          checked={isChosen && isPossible}
          disabled={!isPossible}
          onChange={(event) => onChoose(event.currentTarget.checked)}
        />
        {name}
      </label>
      <p className="tag">{sayFile(describePack(id))}</p>
      <p className={`small pack-says ${verdict?.kind ?? ''}`}>
        {verdict && <Icon name={isPossible ? 'check' : 'warning'} />}
        {verdict?.says ?? 'Measuring…'}
      </p>
      {check && (
        <details className="pack-measured">
          <summary className="small">
            What was measured<span className="sr-only"> for {name}</span>
            <Icon name="down" />
          </summary>
          <Rules rules={check.rules} />
        </details>
      )}
      {verdict === undefined || isPossible ? (
        <Button
          disabled={!isPossible}
          aria-label={`Export for ${name}`}
          icon={<Icon name="download" />}
          onClick={onSave}
        >
          Export
        </Button>
      ) : (
        <Link
          to={`/dashboard/${wayTool}`}
          hash={`field-${mainPictureField(tools[wayTool])}`}
          className={buttonClass({})}
          onClick={onLeave}
        >
          {verdict.kind === 'mend' ? 'Remove the background' : 'Use a larger photo'}
        </Link>
      )}
    </li>
  );
}
