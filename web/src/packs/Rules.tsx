import type { PackCheck } from '@plinth/contract/packs';
import { Icon } from '../ui/icons.tsx';
import { capital } from '../ui/format.ts';
import type { Verdict } from './verdict.ts';

export function Rules({ rules }: Pick<PackCheck, 'rules'>) {
  return (
    <ul className="pack-rules small">
      {rules.map(({ id, level, says, passed, measured }) => (
        <li key={`${id}-${level}`}>
          <span className={passed ? 'is-good' : FAILED[level]}>
            <Icon name={passed ? 'check' : 'warning'} />
          </span>
          <span>
            {says}
            {level === 'advice' && <span className="caption"> advice</span>}
            <br />
            <span className="caption figures">
              <span className="sr-only">{passed ? 'Passed: ' : 'Not passed: '}</span>
              {capital(measured)}
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
}

const FAILED = { must: 'is-wrong', advice: 'is-soon' } as const;

const TONES = { ready: 'is-good', mend: 'is-soon', no: 'is-wrong' } as const;

export function Says({ verdict: { kind, says } }: { verdict: Verdict }) {
  return (
    <span className={`small pack-says ${TONES[kind]}`}>
      <Icon name={kind === 'ready' ? 'check' : 'warning'} />
      {says}
    </span>
  );
}
