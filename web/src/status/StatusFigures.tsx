import '../platform/no-eval.ts';
import { useState } from 'react';
import {
  type PartStates,
  siteParts,
  type Status,
  STATUS_MIN_ENDED,
  type StatusDay,
  statusSchema,
} from '@plinth/contract/status';
import { nameTool, toolIds, tools } from '@plinth/contract/tools';
import { useApi } from '../platform/useApi.ts';
import { useAsyncValue } from '../platform/useAsyncValue.ts';
import { Button } from '../ui/Button.tsx';
import { ErrorBox } from '../ui/ErrorBox.tsx';
import { plural } from '../ui/format.ts';
import { describeTool, listDates, PART_NAMES, sayLastHours, sayParts, STATE_NAMES } from './figures.ts';

export function StatusFigures() {
  const api = useApi();
  const [tries, setTries] = useState(1);
  const loaded = useAsyncValue(String(tries), async () => ({
    status: await api.send('/api/v1/status', statusSchema),
    dates: listDates(new Date()),
  }));
  return (
    <>
      {loaded === 'failed' ? (
        <div className="way-on">
          <ErrorBox action={<Button onClick={() => setTries(tries + 1)}>Try again</Button>}>
            The figures cannot be read right now.
          </ErrorBox>
        </div>
      ) : (
        <>
          <p className="lead-text way-on readable" aria-live="polite">
            {loaded === undefined ? 'Asking…' : sayParts(loaded.status.parts)}
          </p>
          <Parts states={loaded?.status.parts ?? null} />
          <p className="lead-text status-hours readable">{loaded && sayLastHours(loaded.status)}</p>
        </>
      )}
      {/* Above the tools: these come later and are as long as they are. */}
      <div className="stack readable new-part underlined-links small">
        <p>
          <b>Slow</b>: an answer takes more than a second, a generation waits for more than a minute, or not every
          checkout opens. <b>Down</b>: no answer.
        </p>
        <p>
          For programs: <a href="/api/v1/status">/api/v1/status</a>
        </p>
      </div>
      {loaded !== undefined && loaded !== 'failed' && <ToolRows {...loaded} />}
    </>
  );
}

const LOOKS = { up: 'is-good', slow: 'in-warning', down: 'in-error' } as const;

function Parts({ states }: { states: PartStates | null }) {
  return (
    <ul className="status-parts" aria-label="Parts">
      {siteParts.map((part) => (
        <li key={part} className="surface spread">
          <span>{PART_NAMES[part]}</span>
          {states !== null && <span className={`badge ${LOOKS[states[part]]}`}>{STATE_NAMES[states[part]]}</span>}
        </li>
      ))}
    </ul>
  );
}

/** `dates`: the 30 days of the figures. */
type ToolRowsProps = { status: Status; dates: readonly string[] };

function ToolRows({ status: { days30, toolDays }, dates }: ToolRowsProps) {
  const rows = toolIds.flatMap((id) => {
    const figures = days30.tools[id];
    return figures === undefined ? [] : [{ id, figures }];
  });
  if (rows.length === 0) return null;
  return (
    <section className="new-part" aria-labelledby="status-tools">
      <h2 className="title-large" id="status-tools">
        The last 30 days
      </h2>
      {rows.map(({ id, figures }) => (
        <article key={id} className="status-tool ruled" aria-labelledby={`status-${id}`}>
          <h3 className="title-small" id={`status-${id}`}>
            {nameTool(tools[id])}
          </h3>
          <DayBars days={toolDays[id] ?? []} dates={dates} />
          <dl className="figures">
            {describeTool(figures).map(({ name, value }) => (
              <div key={name}>
                <dt className="caption">{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </article>
      ))}
      <div className="stack readable new-part small">
        <p>
          Counted from our own records, at most a minute ago. Whatever had fewer than {STATUS_MIN_ENDED} generations is
          left out. Seconds run from the press of the button to the result, waiting included; for the photos of a
          catalogue, which wait for each other, from the start of their work. Each bar is one day (UTC): its height
          shows how many generations ended, its filled part how many of them gave a result.
        </p>
        <p>
          <b>Refused</b>: the tool could not work with the photo or the words. <b>Failed</b>: our fault, or that of
          whoever serves the tool. Both give the credits back. What people canceled is neither.
        </p>
      </div>
    </section>
  );
}

const HEIGHT = 100;

function DayBars({ days, dates }: { days: readonly StatusDay[]; dates: readonly string[] }) {
  const max = Math.max(1, ...days.map(({ ended }) => ended));
  return (
    <svg
      className="day-bars"
      viewBox={`0 0 ${dates.length} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`Bars of ${plural(days.length, 'day')}, at most ${plural(max, 'generation')} a day`}
    >
      {dates.map((date, place) => {
        const day = days.find((one) => one.date === date);
        if (day === undefined) return <g key={date}>{bar('bar-none', place, 0.02)}</g>;
        return (
          <g key={date}>
            {bar('ended', place, day.ended / max)}
            {bar('bar-done', place, day.succeeded / max)}
          </g>
        );
      })}
    </svg>
  );
}

const bar = (className: string, place: number, share: number) => (
  <rect className={className} x={place} y={HEIGHT * (1 - share)} width={0.7} height={HEIGHT * share} />
);
