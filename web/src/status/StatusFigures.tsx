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
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorBox } from '../ui/ErrorBox.tsx';
import { plural } from '../ui/format.ts';
import { Icon } from '../ui/icons.tsx';
import { describeHours, describeTool, type Figure, listDates, PARTS, sayParts, STATE_NAMES } from './figures.ts';

export function StatusFigures() {
  const api = useApi();
  const [tries, setTries] = useState(1);
  const loaded = useAsyncValue(String(tries), async () => ({
    status: await api.send('/api/v1/status', statusSchema),
    dates: listDates(new Date()),
  }));
  if (loaded === 'failed')
    return (
      <div className="way-on">
        <ErrorBox action={<Button onClick={() => setTries(tries + 1)}>Try again</Button>}>
          The figures cannot be read right now.
        </ErrorBox>
      </div>
    );
  return (
    <>
      <p className="lead-text way-on in-line" aria-live="polite">
        {loaded === undefined ? 'Asking…' : <Sum states={loaded.status.parts} />}
      </p>
      <div className="status-now columns">
        <div className="stack">
          <Parts states={loaded?.status.parts ?? null} />
          <p className="small underlined-links">
            For programs: <a href="/api/v1/status">/api/v1/status</a>
          </p>
        </div>
        {loaded === undefined ? <div className="skeleton" /> : <Hours status={loaded.status} />}
      </div>
      {loaded !== undefined && <ToolRows {...loaded} />}
    </>
  );
}

function Sum({ states }: { states: PartStates }) {
  const isUp = siteParts.every((part) => states[part] === 'up');
  return (
    <>
      <span className={isUp ? 'is-good' : 'is-soon'}>
        <Icon name={isUp ? 'check' : 'warning'} size={24} />
      </span>
      {sayParts(states)}
    </>
  );
}

const LOOKS = { up: 'is-good', slow: 'in-warning', down: 'in-error' } as const;

function Parts({ states }: { states: PartStates | null }) {
  return (
    <ul className="status-parts surface divided" aria-label="Parts">
      {siteParts.map((part) => {
        const { name, ...says } = PARTS[part];
        const state = states?.[part];
        return (
          <li key={part} className="spread">
            <span className="named">
              <b>{name}</b>
              <span className="small">{state === 'down' ? 'Does not answer.' : says[state ?? 'up']}</span>
            </span>
            {state !== undefined && <span className={`badge ${LOOKS[state]}`}>{STATE_NAMES[state]}</span>}
          </li>
        );
      })}
    </ul>
  );
}

function Hours({ status }: { status: Status }) {
  const figures = describeHours(status);
  if (figures.length === 0 && Object.keys(status.days30.tools).length === 0)
    return (
      <EmptyState
        title="No figures yet"
        line={`How fast a tool is, and how often it gives a result, is shown once it has ended ${STATUS_MIN_ENDED} generations.`}
      />
    );
  return (
    <section className="paper" aria-labelledby="status-hours">
      <h2 className="title-small" id="status-hours">
        The last 24 hours
      </h2>
      <FigureList figures={figures} look="title-large" />
      {Object.keys(status.hours24.tools).length < toolIds.length && (
        <p className="small">Tools with fewer than {STATUS_MIN_ENDED} generations are not counted here.</p>
      )}
    </section>
  );
}

function FigureList({ figures, look }: { figures: readonly Figure[]; look?: string }) {
  return (
    <dl className="figures status-figures">
      {figures.map(({ name, value }) => (
        <div key={name}>
          <dt className="caption">{name}</dt>
          <dd className={look}>{value}</dd>
        </div>
      ))}
    </dl>
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
  const few = toolIds.filter((id) => days30.tools[id] === undefined).map((id) => nameTool(tools[id]));
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
          <FigureList figures={describeTool(figures)} />
        </article>
      ))}
      <div className="stack readable new-part small">
        {few.length > 0 && (
          <p>
            Fewer than {STATUS_MIN_ENDED} generations, too few for figures: {few.join(', ')}.
          </p>
        )}
        <p>
          Counted from our own records, at most a minute ago. Seconds run from the press of the button to the result,
          waiting included; for the photos of a catalogue, which wait for each other, from the start of their work. Each
          bar is one day (UTC): its height shows how many generations ended, its filled part how many of them gave a
          result.
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
        if (day === undefined) return <g key={date}>{bar('var(--line)', place, 0.02)}</g>;
        return (
          <g key={date}>
            {bar('var(--edge)', place, day.ended / max)}
            {bar('var(--ink)', place, day.succeeded / max)}
          </g>
        );
      })}
    </svg>
  );
}

const bar = (fill: string, place: number, share: number) => (
  <rect fill={fill} x={place} y={HEIGHT * (1 - share)} width={0.7} height={HEIGHT * share} />
);
