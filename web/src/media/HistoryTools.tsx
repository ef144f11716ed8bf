import { useId } from 'react';
import { nameTool, tools } from '@plinth/contract/tools';
import type { useFinding } from './useFinding.ts';

export function HistoryTools({ finding }: { finding: ReturnType<typeof useFinding> }) {
  const id = useId();
  const { tool, setTool, words, setWords, counts } = finding;
  return (
    <div className="history-tools cluster">
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
        <div className="scroll-line" role="group" aria-label="Show what was made with">
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
