import { useEffect, type ReactNode } from 'react';

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Plinth`;
  }, [title]);
}

/** Title line of a screen: the one h1, a sentence, and something quiet on the right. */
export function ScreenHead({ title, line, right }: { title: string; line?: string; right?: ReactNode }) {
  useTitle(title);
  return (
    <div className="screen-head">
      <div>
        <h1 className="title-large" tabIndex={-1}>
          {title}
        </h1>
        {line !== undefined && <p className="small">{line}</p>}
      </div>
      {right}
    </div>
  );
}
