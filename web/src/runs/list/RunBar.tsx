import type { RunCounts } from '@plinth/contract/run-progress';

const parts = ['succeeded', 'running', 'queued', 'failed', 'canceled'] as const;

export function RunBar({ counts, toCome }: { counts: RunCounts; toCome: number }) {
  return (
    <div className="run-bar meter" aria-hidden="true">
      {parts.map((part) => counts[part] > 0 && <i key={part} className={part} style={{ flexGrow: counts[part] }} />)}
      {toCome > 0 && <i style={{ flexGrow: toCome }} />}
    </div>
  );
}
