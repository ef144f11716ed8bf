import '../platform/no-eval.ts';
import { useEffect, useState } from 'react';
import { type PartStates, siteParts, type Status, STATUS_LEAST_ENDED, statusSchema } from '@plinth/contract/status';
import { nameTool, toolIds, tools } from '@plinth/contract/tools';
import { createApi } from '../platform/api.ts';
import { ApiContext, useApi } from '../platform/useApi.ts';
import { buttonClass } from '../ui/button-class.ts';
import { ErrorBox } from '../ui/ErrorBox.tsx';
import { DayBars } from './DayBars.tsx';
import { PART_NAMES, STATE_NAMES, describeTool, listDates, sayLastHours, sayParts } from './figures.ts';

export function StatusFigures() {
  const [api] = useState(() => createApi());
  return (
    <ApiContext value={api}>
      <Figures />
    </ApiContext>
  );
}

export function Figures() {
  const [answer, ask] = useStatus();
  if (answer.kind === 'away') {
    return (
      <div className="way-on">
        <ErrorBox
          action={
            <button type="button" className={buttonClass({})} onClick={ask}>
              Try again
            </button>
          }
        >
          The figures cannot be read right now.
        </ErrorBox>
      </div>
    );
  }
  return (
    <>
      <p className="lead-text way-on readable" aria-live="polite">
        {answer.kind === 'counting' ? 'Asking…' : sayParts(answer.status.parts)}
      </p>
      <Parts states={answer.kind === 'here' ? answer.status.parts : null} />
      {answer.kind === 'here' && <p className="lead-text way-on readable">{sayLastHours(answer.status)}</p>}
      {answer.kind === 'here' && <ToolRows {...answer} />}
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

/** `dates`: the 30 days that the figures are about. */
type Told = { status: Status; dates: readonly string[] };
type Answer = { kind: 'counting' } | { kind: 'away' } | (Told & { kind: 'here' });

function useStatus(): [Answer, () => void] {
  const api = useApi();
  const [tries, setTries] = useState(1);
  const [answer, setAnswer] = useState<Answer>({ kind: 'counting' });
  useEffect(() => {
    let isLeft = false;
    const take = (next: Answer) => isLeft || setAnswer(next);
    api.send('/api/v1/status', statusSchema).then(
      (status) => take({ kind: 'here', status, dates: listDates(new Date()) }),
      () => take({ kind: 'away' }),
    );
    return () => void (isLeft = true);
  }, [api, tries]);
  const ask = () => {
    setAnswer({ kind: 'counting' });
    setTries(tries + 1);
  };
  return [answer, ask];
}

function ToolRows({ status: { days30, toolDays }, dates }: Told) {
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
        <article key={id} className="status-tool" aria-labelledby={`status-${id}`}>
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
      <div className="page-notes new-part small">
        <p>
          Counted from our own records, at most a minute ago. Whatever had fewer than {STATUS_LEAST_ENDED} generations
          is left out. Seconds run from the press of the button to the result, waiting included. Each bar is one day
          (UTC): its height shows how many generations ended, its filled part how many of them gave a result.
        </p>
        <p>
          <b>Refused</b>: the tool could not work with the photo or the words. <b>Failed</b>: our fault, or that of
          whoever serves the tool. Both give the credits back. What people canceled is neither.
        </p>
      </div>
    </section>
  );
}
