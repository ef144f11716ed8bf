import { createContext, createElement, type ReactNode } from 'react';

export type LinkProps = { to: string; className: string; children: ReactNode };

/**
 * How a link of `ui` is made: a plain link here; the routed app hands in one that keeps the page and what was typed.
 */
export const LinkContext = createContext<(props: LinkProps) => ReactNode>(({ to, ...rest }) =>
  createElement('a', { href: to, ...rest }),
);
