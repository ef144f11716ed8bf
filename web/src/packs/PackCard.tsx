import { Link } from '@tanstack/react-router';
import { previewUrl } from '@plinth/contract/media';
import { allowsShadow, describePack, type PackCheck, packPreviewUrl, packs } from '@plinth/contract/packs';
import { mainPictureField } from '@plinth/contract/tool-fields';
import { tools, type ToolId } from '@plinth/contract/tools';
import { Button } from '../ui/Button.tsx';
import { buttonClass } from '../ui/button-class.ts';
import { Icon } from '../ui/icons.tsx';
import { Rules, Says } from './Rules.tsx';
import { isCutoutEnough, judgeExport, sayFile } from './verdict.ts';

const MENDER = 'remover' satisfies ToolId;
const SOURCE_PX = 320;

type PackCardProps = {
  mediaId: string;
  toolId: ToolId;
  check: PackCheck;
  isCutout: boolean;
  /** Look of a cut-out; null for the plain look. */
  lookId: string | null;
  /** True if that look casts a shadow. */
  hasShadow: boolean;
  isChosen: boolean;
  onChoose: (isChosen: boolean) => void;
  onSave: () => void;
  onLeave: () => void;
};

export function PackCard(props: PackCardProps) {
  const { check, isCutout, hasShadow, isChosen, onChoose, onSave } = props;
  const { name, picture } = packs[check.pack];
  const isPossible = check.refusal === null;
  return (
    <li className="pack-card stack">
      <Shown {...props} />
      <label className="pack-name in-line control-text">
        <input
          type="checkbox"
          checked={isChosen && isPossible}
          disabled={!isPossible}
          onChange={(event) => onChoose(event.currentTarget.checked)}
        />
        {name}
      </label>
      <p className="caption">
        {sayFile(describePack(check.pack))}
        {hasShadow && picture.width !== null && `, ${allowsShadow(packs[check.pack]) ? 'with' : 'without'} the shadow`}
      </p>
      <Says verdict={judgeExport(check, isCutout)} />
      <details className="pack-measured">
        <summary className="small in-line">
          What was measured<span className="sr-only"> for {name}</span>
          <Icon name="down" />
        </summary>
        <Rules rules={check.rules} />
      </details>
      {isPossible ? (
        <Button aria-label={`Export for ${name}`} icon={<Icon name="download" />} onClick={onSave}>
          Export
        </Button>
      ) : (
        <WayToMend {...props} />
      )}
    </li>
  );
}

function Shown({ mediaId, check, lookId }: PackCardProps) {
  const { width, height } = packs[check.pack].picture;
  const needsCutout = check.refusal === 'cutout_needed';
  const url = needsCutout ? previewUrl(mediaId, SOURCE_PX) : packPreviewUrl(mediaId, check.pack, lookId);
  const size = width === null || needsCutout ? {} : { width, height };
  return (
    <div className={width === null ? 'pack-shown print checker' : 'pack-shown print'}>
      <img className={check.refusal === null ? undefined : 'faded'} src={url} alt="" {...size} loading="lazy" />
    </div>
  );
}

/** Link to the background remover, which leads back to this export, or to the field for a larger photo. */
function WayToMend({ mediaId, toolId, check, onChoose, onLeave }: PackCardProps) {
  const wayTool = check.refusal === 'cutout_needed' ? MENDER : toolId;
  const isEnough = isCutoutEnough(check);
  const way = isEnough
    ? { search: { photo: mediaId, then: 'export' as const } }
    : { hash: `field-${mainPictureField(tools[wayTool])}` };
  const leave = () => {
    if (isEnough) onChoose(true);
    onLeave();
  };
  return (
    <Link to={`/dashboard/${wayTool}`} {...way} className={buttonClass({})} onClick={leave}>
      {isEnough ? 'Remove the background' : 'Use a larger photo'}
    </Link>
  );
}
