import { createContext, createElement, type ReactNode } from 'react';

export type LinkProps = { to: string; className: string; children: ReactNode };

/**
 * How links of `ui` are rendered: plain anchors by default; the routed app provides links that keep the page and typed
 * text.
 */
export const LinkContext = createContext<(props: LinkProps) => ReactNode>(({ to, ...rest }) =>
  createElement('a', { href: to, ...rest }),
);
