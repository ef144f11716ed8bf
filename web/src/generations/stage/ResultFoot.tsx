import { Suspense, type ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { mediaSchema, type Media } from '@plinth/contract/media';
import { findWords } from '@plinth/contract/tool-fields';
import { nameTool, type ToolId } from '@plinth/contract/tools';
import { canCopyPictures, copyPicture, downloadMedia } from '../../media/download.ts';
import { linkToHistory } from '../../media/viewer-path.ts';
import { ExportButton } from '../../packs/ExportButton.tsx';
import { useNow } from '../../platform/clock.ts';
import { useOnline } from '../../platform/online.ts';
import { useApi } from '../../platform/useApi.ts';
import { Button } from '../../ui/Button.tsx';
import { buttonClass } from '../../ui/button-class.ts';
import { formatKilobytes, formatRemaining } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import type { ResultViewProps } from './ResultView.tsx';
import { SecondTries } from '../tries/second-tries.ts';
import { Variations } from '../tries/Variations.tsx';

export const MOVE_IT = 'move-product';

export function ResultFoot(props: ResultViewProps & { grounds: ReactNode; onMove: (() => void) | undefined }) {
  const { tool, generation, result } = props;
  const words = findWords(tool);
  const { understood, notDrawn = [] } = result;
  return (
    <div className="stage-foot cluster">
      {props.row && <Variations row={props.row} shownId={generation.id} onShow={props.onShow} />}
      <Keeping tool={tool} toolId={generation.tool} result={result} isFirst={props.isFirst} />
      {words !== null && understood !== undefined && (
        <p className="small understood">
          {understood.length === 0 ? <b>{words.field.unknown}.</b> : <span>Made: {understood.join(', ')}.</span>}{' '}
          {notDrawn.length > 0 && <span className="is-soon">Not drawn: {notDrawn.join(', ')}.</span>}
        </p>
      )}
      {props.grounds}
      <Link
        {...linkToHistory(result.mediaId)}
        resetScroll={false}
        className={buttonClass({ look: 'borderless', square: true })}
        aria-label="View large"
        title="View large"
      >
        <Icon name="large" />
      </Link>
      {props.onMove && (
        <Button id={MOVE_IT} icon={<Icon name="move" />} onClick={props.onMove}>
          Move, scale, turn
        </Button>
      )}
      <Suspense fallback={<div className="cluster second-tries" />}>
        <SecondTries {...props} />
      </Suspense>
    </div>
  );
}

type Keeping = Pick<ResultViewProps, 'tool' | 'result' | 'isFirst'> & { toolId: ToolId };

function Keeping({ tool, toolId, result, isFirst }: Keeping) {
  const api = useApi();
  const now = useNow(1000);
  const isOnline = useOnline();
  const media = useMedia(result.mediaId);
  const size = tool.shows.kind === 'cutout' ? 'Transparent PNG' : media && `${media.width} × ${media.height}`;
  return (
    <>
      <div className="named">
        <b title={result.originalFilename}>{nameTool(tool)}</b>
        <span className="caption figures">{media ? `${size}, ${formatKilobytes(media.bytes)}` : '\u00a0'}</span>
        <span className="caption figures">
          {media ? `Deleted in ${formatRemaining(Date.parse(media.expiresAt) - now)}` : '\u00a0'}
        </span>
      </div>
      <Button
        look={isFirst ? 'primary' : 'quiet'}
        icon={<Icon name="download" />}
        disabled={!isOnline}
        onClick={() => void downloadMedia(api, result, tool.says.downloadFailed)}
      >
        {tool.says.download}
      </Button>
      <ExportButton toolId={toolId} {...result} />
      {tool.file.type === 'png' && canCopyPictures() && (
        <Button
          icon={<Icon name="copy" />}
          disabled={!isOnline}
          onClick={() => void copyPicture(api, result.contentUrl)}
        >
          Copy
        </Button>
      )}
    </>
  );
}

/** A result never changes: what happens to other media is no reason to read it again. */
function useMedia(mediaId: string): Media | undefined {
  const api = useApi();
  const { data } = useQuery({
    queryKey: ['stage', 'media', mediaId],
    queryFn: () => api.send(`/api/v1/media/${mediaId}`, mediaSchema),
    staleTime: Infinity,
  });
  return data;
}
