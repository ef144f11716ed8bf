import { useId } from 'react';
import { nameTool, tools } from '@plinth/contract/tools';
import type { useFinding } from './useFinding.ts';

/** Below the title: a field for words, and the tools that made something. */
export function HistoryTools({ finding }: { finding: ReturnType<typeof useFinding> }) {
  const id = useId();
  const { tool, setTool, words, setWords, counts } = finding;
  return (
    <div className="history-tools">
      <label className="sr-only" htmlFor={id}>
        Search descriptions
      </label>
      <input
        id={id}
        type="search"
        className="input"
        placeholder="Search descriptions"
        autoComplete="off"
        value={words}
        onChange={(event) => setWords(event.currentTarget.value)}
      />
      {counts.length > 1 && (
        <div className="history-filter" role="group" aria-label="Show what was made with">
          <button type="button" className="badge" aria-pressed={tool === null} onClick={() => setTool(null)}>
            Everything
          </button>
          {counts.map(({ id: toolId, count }) => (
            <button
              key={toolId}
              type="button"
              className="badge"
              aria-pressed={tool === toolId}
              onClick={() => setTool(tool === toolId ? null : toolId)}
            >
              {nameTool(tools[toolId])} <span className="figures">{count}</span>
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
