import { useEffect, type ReactNode } from 'react';

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Plinth`;
  }, [title]);
}

export function ScreenHead({ title, line, right }: { title: string; line?: string; right?: ReactNode }) {
  useTitle(title);
  return (
    <div className="screen-head cluster spread">
      <div className="any-break">
        <h1 className="title-large" tabIndex={-1}>
          {title}
        </h1>
        {line !== undefined && <p className="small">{line}</p>}
      </div>
      {right}
    </div>
  );
}
