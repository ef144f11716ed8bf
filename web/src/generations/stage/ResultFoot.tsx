import type { ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { findTextField, mainPictureField } from '@plinth/contract/tool-fields';
import { canCopyPictures, copyPicture, downloadMedia } from '../../media/download.ts';
import { mediaQuery } from '../../media/media-queries.ts';
import { linkToHistory } from '../../media/viewer-path.ts';
import { ExportButton } from '../../packs/ExportButton.tsx';
import { useNow } from '../../platform/clock.ts';
import { useApi } from '../../platform/useApi.ts';
import { Button } from '../../ui/Button.tsx';
import { buttonClass } from '../../ui/button-class.ts';
import { formatKilobytes, formatRemaining } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { isFree } from '../again.ts';
import { pictureOf, requiredFields } from '../drafts.ts';
import { useToolInUse } from '../useTool.ts';
import type { Made } from '../tries/SecondTries.tsx';
import type { ResultViewProps } from './ResultView.tsx';
import { SecondTries } from '../tries/second-tries.tsx';
import { Variations } from '../tries/Variations.tsx';

export const MOVE_IT = 'move-product';

type ResultFootProps = ResultViewProps & { grounds: ReactNode; onMove: (() => void) | undefined };

export function ResultFoot({ generation, before, grounds, onMove }: ResultFootProps) {
  const { result } = generation;
  const { tool, work, markable, missing, picked, again, second } = useToolInUse();
  const isSame = work.change !== null && Object.keys(work.change).length === 0;
  const isEmpty = missing.length === requiredFields(tool).length;
  const ofForm = work.change === null ? null : (picked?.file ?? null);
  const words = findTextField(tool);
  const { understood, notDrawn = [] } = result;
  return (
    <div className="stage-foot cluster">
      <Variations row={work.row} shownId={generation.id} onShow={work.show} />
      <Keeping result={result}>
        {words !== null && understood !== undefined && (
          <p className="small understood any-break">
            {understood.length === 0 ? <b>{words.field.unknown}.</b> : <span>Made: {understood.join(', ')}.</span>}{' '}
            {notDrawn.length > 0 && <span className="is-soon">Not drawn: {notDrawn.join(', ')}.</span>}
          </p>
        )}
      </Keeping>
      <Link
        {...linkToHistory(result.mediaId)}
        resetScroll={false}
        className={buttonClass({ square: true })}
        title="View large"
      >
        <Icon name="large" />
      </Link>
      {grounds}
      <div className="cluster tries-row">
        {onMove && (
          <Button id={MOVE_IT} icon={<Icon name="move" />} onClick={onMove}>
            Move, scale, turn
          </Button>
        )}
        <SecondTries
          generation={generation}
          cutFrom={markable === mainPictureField(tool) ? before : ofForm}
          offersVersion={!isFree(again) && (isSame || isEmpty)}
          second={second}
        />
      </div>
    </div>
  );
}

function Keeping({ result, children }: Pick<Made, 'result'> & { children: ReactNode }) {
  const { toolId, tool, draft, work, isResultFirst, second, setField } = useToolInUse();
  const api = useApi();
  const now = useNow(1000);
  // The event of a returned result may arrive before the response; then the question is withdrawn.
  const { data: media } = useQuery({ ...mediaQuery(api, result.mediaId), enabled: !second.isSending });
  const main = mainPictureField(tool);
  const photo = pictureOf(draft, main);
  const size = tool.shows.kind === 'cutout' ? 'Transparent PNG' : media && `${media.width} × ${media.height}`;
  return (
    <>
      <div className="named">
        <b className="figures" title={result.originalFilename}>
          {media ? `${size}, ${formatKilobytes(media.bytes)}` : '\u00a0'}
        </b>
        <span className="caption figures">
          {media ? `Deleted in ${formatRemaining(Date.parse(media.expiresAt) - now)}` : '\u00a0'}
        </span>
      </div>
      {children}
      <Button
        look={isResultFirst ? 'primary' : 'quiet'}
        icon={<Icon name="download" />}
        asksServer
        onClick={() => void downloadMedia(api, result, tool.says.downloadFailed)}
      >
        {tool.says.download}
      </Button>
      <ExportButton
        toolId={toolId}
        {...result}
        isAsked={work.isOfSamePictures && photo?.isForExport === true}
        onClose={() => photo?.isForExport && setField(main, { ...photo, isForExport: false })}
      />
      {tool.file.type === 'png' && canCopyPictures() && (
        <Button icon={<Icon name="copy" />} asksServer onClick={() => void copyPicture(api, result.contentUrl)}>
          Copy
        </Button>
      )}
    </>
  );
}
