import type { PackCheck } from '@plinth/contract/packs';
import { Icon } from '../ui/icons.tsx';
import { capital, type Verdict } from './verdict.ts';

/** Every rule of a marketplace with what was measured. */
export function Rules({ rules }: Pick<PackCheck, 'rules'>) {
  return (
    <ul className="pack-rules">
      {rules.map(({ id, level, says, passed, measured }) => (
        <li key={`${id}-${level}`} className={passed ? 'passed' : `is-${level}`}>
          <Icon name={passed ? 'check' : 'warning'} />
          <span>
            {says}
            {level === 'advice' && <span className="caption"> advice</span>}
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

/** What is said of a picture for one marketplace. */
export function Says({ verdict: { kind, says } }: { verdict: Verdict }) {
  const isReady = kind === 'ready' || kind === 'file';
  return (
    <span className={`small pack-says says-${kind}`}>
      <Icon name={isReady ? 'check' : 'warning'} />
      {says}
    </span>
  );
}
