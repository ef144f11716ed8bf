import type { MouseEvent } from 'react';
import { useApi } from '../platform/useApi.ts';
import { saveStreamed } from './above/save-aloud.ts';
import { Icon } from './icons.tsx';

type SaveLinkProps = { href: string; className: string; children: string };

/** A link that saves a large file. */
export function SaveLink({ href, className, children }: SaveLinkProps) {
  const api = useApi();
  const handleClick = (event: MouseEvent) => {
    event.preventDefault();
    void saveStreamed(api, href, `save-${href}`);
  };
  return (
    <a className={className} href={href} download onClick={handleClick}>
      <Icon name="download" />
      <span>{children}</span>
    </a>
  );
}
