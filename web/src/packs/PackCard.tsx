import { Link } from '@tanstack/react-router';
import { describePack, type PackCheck, type PackId, packPreviewUrl, packs } from '@plinth/contract/packs';
import { Button } from '../ui/Button.tsx';
import { buttonClass } from '../ui/button-class.ts';
import { Icon } from '../ui/icons.tsx';
import { Rules } from './Rules.tsx';
import { judgeExport, sayFile } from './verdict.ts';

type PackCardProps = {
  id: PackId;
  mediaId: string;
  /** Undefined while it is measured. */
  check: PackCheck | undefined;
  isCutout: boolean;
  isChosen: boolean;
  onChoose: (isChosen: boolean) => void;
  onSave: () => void;
  /** The person goes to where the picture is mended. */
  onLeave: () => void;
};

/** One marketplace: its file as it will be, what was measured, and the click for the file or for what mends it. */
export function PackCard({ id, mediaId, check, isCutout, isChosen, onChoose, onSave, onLeave }: PackCardProps) {
  const { name, picture } = packs[id];
  const verdict = check && judgeExport(check, isCutout);
  const isPossible = verdict?.kind === 'file';
  const isDrawn = check !== undefined && check.refusal !== 'cutout_needed';
  const size = picture.width === null ? {} : { width: picture.width, height: picture.height };
  return (
    <li className={`pack-card ${verdict?.kind ?? ''}`}>
      <div className={picture.width === null ? 'pack-shown checker' : 'pack-shown'}>
        {isDrawn && <img src={packPreviewUrl(mediaId, id)} alt="" {...size} loading="lazy" />}
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
        <Link to="/dashboard/remover" className={buttonClass({})} onClick={onLeave}>
          {verdict.kind === 'mend' ? 'Remove the background' : 'Use a larger photo'}
        </Link>
      )}
    </li>
  );
}
