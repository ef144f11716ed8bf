export function Code({ name, code, isHidden = false }: { name: string; code: string; isHidden?: boolean }) {
  return (
    <pre className="code-block surface" tabIndex={0} aria-label={name} hidden={isHidden}>
      <code>
        {paintCode(code).map(({ text, kind }, at) => (
          // The order of the pieces never changes.
          <span key={at} className={kind && COLOURS[kind]}>
            {text}
          </span>
        ))}
      </code>
    </pre>
  );
}

const COLOURS = { comment: 'faint', string: 'is-good', keyword: 'is-soon' } as const;

export type Painted = { text: string; kind?: 'comment' | 'string' | 'keyword' };

// The earliest match wins, so "//" in a string is not a comment. The same for shell, TypeScript, Python and JSON.
const PIECES = new RegExp(
  [
    String.raw`(?<comment>(?<=^|\s)(?:#|//).*$)`,
    String.raw`(?<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\`(?:[^\`\\]|\\.)*\`)`,
    String.raw`(?<keyword>\b(?:import|from|const|let|await|async|export|function|return|for|of|if|while|throw|new|def|in|with|as|raise|not|continue|true|false|null|None)\b)`,
  ].join('|'),
  'gm',
);

/** Returns the code split into pieces in order; joined they are the code again. */
export function paintCode(code: string): Painted[] {
  const pieces: Painted[] = [];
  let at = 0;
  for (const { 0: text, index, groups = {} } of code.matchAll(PIECES)) {
    if (index > at) pieces.push({ text: code.slice(at, index) });
    const [kind] = Object.entries(groups).find(([, found]) => found !== undefined) ?? [];
    pieces.push({ text, kind: kind as Exclude<Painted['kind'], undefined> });
    at = index + text.length;
  }
  if (at < code.length) pieces.push({ text: code.slice(at) });
  return pieces;
}
