import { useId } from 'react';
import { nameTool, tools } from '@plinth/contract/tools';
import { Chips } from '../ui/Chips.tsx';
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
        <Chips
          label="Show what was made with"
          all={{ name: 'Everything' }}
          chips={counts.map(({ id: toolId, ...counted }) => ({
            key: toolId,
            name: nameTool(tools[toolId]),
            ...counted,
          }))}
          chosen={tool}
          onChoose={setTool}
        />
      )}
    </div>
  );
}
