import type { Media } from '@plinth/contract/media';
import { useState } from 'react';
import { nameTool, type ToolId, toolIds, tools } from '@plinth/contract/tools';
import { Chips } from '../ui/fields/Chips.tsx';

export function HistoryTools({ filter }: { filter: ReturnType<typeof useMediaFilter> }) {
  const { tool, setTool, words, setWords, chips } = filter;
  return (
    <div className="history-tools cluster">
      <input
        type="search"
        className="input"
        aria-label="Search words and photo names"
        placeholder="Search words and photo names"
        autoComplete="off"
        value={words}
        onChange={(event) => setWords(event.currentTarget.value)}
      />
      {chips.length > 1 && (
        <Chips
          label="Show what was made with"
          all={{ name: 'Everything' }}
          chips={chips}
          chosen={tool}
          onChoose={setTool}
        />
      )}
    </div>
  );
}

/** Filters of the history by tool or by text. */
export function useMediaFilter(all: readonly Media[], isAll: boolean) {
  const [tool, setTool] = useState<ToolId | null>(null);
  const [words, setWords] = useState('');
  const wanted = words.trim().toLowerCase();
  const withWords = all.filter((media) => hasWords(media, wanted));
  return {
    tool,
    setTool,
    words,
    setWords,
    isOn: tool !== null || wanted !== '',
    found: withWords.filter((media) => tool === null || media.tool === tool),
    // Pages not yet loaded may contain any tool.
    chips: toolIds
      .filter((id) => !isAll || id === tool || all.some((media) => media.tool === id))
      .map((id) => ({ key: id, name: nameTool(tools[id]) })),
    showAll: () => {
      setTool(null);
      setWords('');
    },
  };
}

function hasWords({ input, photoName }: Pick<Media, 'input' | 'photoName'>, wanted: string): boolean {
  const text = [...Object.values(input ?? {}), photoName ?? ''].join(' ').toLowerCase();
  return wanted.split(/\s+/).every((word) => text.includes(word));
}
