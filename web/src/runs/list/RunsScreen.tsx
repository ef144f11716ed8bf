import { Link } from '@tanstack/react-router';
import { MEDIA_TTL_SECONDS } from '@plinth/contract/limits';
import type { RunCounts } from '@plinth/contract/run-progress';
import type { Run } from '@plinth/contract/runs';
import { nameTool, tools } from '@plinth/contract/tools';
import { useNow } from '../../platform/clock.ts';
import { buttonClass } from '../../ui/button-class.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { formatRemaining, formatShortDateTime, plural } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { Loaded, Loading, ShowMore } from '../../ui/Loaded.tsx';
import { ScreenHead } from '../../ui/ScreenHead.tsx';
import '../runs.css';
import { countWithLocal, usePhotosOf } from '../photo-actions.ts';
import { NOT_STARTED } from '../photos.ts';
import { runPath, useRunList } from '../useRuns.ts';
import { sayCounts } from '../run-sentences.ts';

const NEW_PATH = '/dashboard/catalogue/new';
const MINUTE_MS = 60_000;

export function RunsScreen() {
  const list = useRunList();
  const waitingCount = usePhotosOf(NOT_STARTED).length;
  const isEmpty = list.data?.length === 0;
  const begin = (
    <Link className={buttonClass({ look: 'primary' })} to={NEW_PATH}>
      <Icon name="plus" />
      {waitingCount > 0 ? `New catalogue, ${plural(waitingCount, 'photo')} chosen` : 'New catalogue'}
    </Link>
  );
  return (
    <>
      <ScreenHead
        title="Catalogue"
        line="A whole folder of photos through one tool, and one archive back."
        right={!isEmpty && begin}
      />
      <Loaded query={list} failed="Your catalogues could not be loaded." waiting={<Loading what="your catalogues" />}>
        {(runs) =>
          isEmpty ? (
            <EmptyState
              title="No catalogue yet"
              line="Drop a folder, choose what to make of it, and come back when it is done."
            >
              {begin}
            </EmptyState>
          ) : (
            <>
              <ul className="surface divided">
                {runs.map((run) => (
                  <RunRow key={run.id} run={run} />
                ))}
              </ul>
              <div className="show-more">
                <ShowMore list={list} />
              </div>
            </>
          )
        }
      </Loaded>
    </>
  );
}

function RunRow({ run }: { run: Run }) {
  const { counts, toCome } = countWithLocal(run, usePhotosOf(run.id));
  return (
    <li className="run-row">
      <div>
        <h2 className="control-text cut-off" title={run.name}>
          <Link to={runPath(run.id)}>{run.name}</Link>
        </h2>
        <p className="caption figures">
          {nameTool(tools[run.tool])}, {formatShortDateTime(run.createdAt)}
        </p>
      </div>
      <div>
        <RunBar counts={counts} toCome={toCome} />
        <p className="caption figures">{sayCounts({ ...run, counts }, toCome)}</p>
      </div>
      <p className="caption figures run-left">
        <TimeLeft run={run} />
      </p>
    </li>
  );
}

/** When its first pictures are deleted; later ones, as of a second try, stay longer. */
export function TimeLeft({ run: { createdAt, finishedAt, counts } }: { run: Run }) {
  const oldest = useNow(MINUTE_MS) - MEDIA_TTL_SECONDS * 1000;
  if (counts.total === 0) return null;
  if (Date.parse(createdAt) > oldest) return `${formatRemaining(Date.parse(createdAt) - oldest)} left`;
  const isOver = finishedAt !== null && Date.parse(finishedAt) <= oldest;
  return isOver ? 'Pictures deleted' : 'Older pictures deleted';
}

const parts = ['succeeded', 'running', 'queued', 'failed', 'canceled'] as const;

export function RunBar({ counts, toCome }: { counts: RunCounts; toCome: number }) {
  return (
    <div className="run-bar meter" aria-hidden="true">
      {parts.map((part) => counts[part] > 0 && <i key={part} className={part} style={{ flexGrow: counts[part] }} />)}
      {toCome > 0 && <i style={{ flexGrow: toCome }} />}
    </div>
  );
}
