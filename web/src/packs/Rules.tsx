import type { Pack, PackCheck } from '@plinth/contract/packs';
import { Icon } from '../ui/icons.tsx';
import { capital } from '../ui/format.ts';
import type { Verdict } from './verdict.ts';

type Asked = Pack['rules'][number];
type Judged = PackCheck['rules'][number];

/** What a marketplace asks for, or how a picture met it. */
export function Rules({ rules }: { rules: readonly (Asked | Judged)[] }) {
  return (
    <ul className="pack-rules small">
      {rules.map((rule) => (
        <li key={`${rule.id}-${rule.level}`}>
          <Mark rule={rule} />
          <span>
            {rule.says}
            {rule.level === 'advice' && <span className="caption"> advice</span>}
            {'measured' in rule && (
              <>
                <br />
                <span className="caption figures">
                  <span className="sr-only">{rule.passed ? 'Passed: ' : 'Not passed: '}</span>
                  {capital(rule.measured)}
                </span>
              </>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Mark({ rule }: { rule: Asked | Judged }) {
  const isFailed = 'passed' in rule && !rule.passed;
  const look = isFailed ? FAILED[rule.level] : 'passed' in rule ? 'is-good' : 'faint';
  return (
    <span className={look}>
      <Icon name={isFailed ? 'warning' : 'check'} />
    </span>
  );
}

const FAILED = { must: 'is-wrong', advice: 'is-soon' } as const;

const TONES = { ready: 'is-good', mend: 'is-soon', no: 'is-wrong' } as const;

export function Says({ verdict: { kind, says } }: { verdict: Verdict }) {
  return (
    <span className={`small pack-says ${TONES[kind]}`}>
      <Icon name={kind === 'ready' ? 'check' : 'warning'} />
      <span>{says}</span>
    </span>
  );
}
