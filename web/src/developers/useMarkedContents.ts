import { useEffect } from 'react';

/** Below the bar at the top. */
const READ_FROM_PX = 120;

export function useMarkedContents(): void {
  useEffect(() => {
    const links = [...document.querySelectorAll<HTMLAnchorElement>('.textpage-contents a')];
    const mark = () => {
      const isBegun = ({ hash }: HTMLAnchorElement) =>
        (document.querySelector(hash)?.getBoundingClientRect().top ?? Infinity) <= READ_FROM_PX;
      const read = links.findLast(isBegun) ?? links[0];
      for (const link of links)
        if (link === read) link.setAttribute('aria-current', 'true');
        else link.removeAttribute('aria-current');
    };
    mark();
    document.addEventListener('scroll', mark, { passive: true });
    return () => document.removeEventListener('scroll', mark);
  }, []);
}
