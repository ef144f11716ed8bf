import { useEffect, type ReactNode } from 'react';

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Plinth`;
  }, [title]);
}

type ScreenHeadProps = {
  title: string;
  /** Of the window, if the screen shares its title with another. */
  windowTitle?: string;
  line?: string;
  right?: ReactNode;
};

export function ScreenHead({ title, windowTitle = title, line, right }: ScreenHeadProps) {
  useTitle(windowTitle);
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
