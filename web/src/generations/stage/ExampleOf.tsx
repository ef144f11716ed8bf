import { useState } from 'react';
import type { Tool } from '@plinth/contract/tool';
import type { ToolId } from '@plinth/contract/tools';
import { useOnline } from '../../platform/online.ts';
import { EmptyPlinth } from '../../ui/EmptyPlinth.tsx';
import { Icon } from '../../ui/icons.tsx';

/** What the built-in engine made of the samples: `scripts/examples.mjs` makes the pictures again. */
export function ExampleOf({ toolId, tool }: { toolId: ToolId; tool: Tool }) {
  const isOnline = useOnline();
  const [isMissing, setIsMissing] = useState(false);
  const given = Object.values(tool.fields).filter(({ kind }) => kind === 'image');
  // Without a network there is nothing to show.
  if (isMissing || !isOnline) return <EmptyPlinth />;
  const made = { cutout: 'Cut out', compare: 'The result', video: 'The video' }[tool.shows.kind];
  const names = given.length === 1 ? ['The photo'] : ['The person', 'The garment'];
  return (
    <figure className="example" aria-label="Example">
      {[...names, made].map((name, index) => (
        <div key={name} className={index === given.length ? 'example-result' : undefined}>
          <img
            className={index === given.length && tool.shows.kind === 'cutout' ? 'checker' : undefined}
            src={`/examples/${toolId}-${index}.webp`}
            alt=""
            width={440}
            height={440}
            loading="lazy"
            onError={() => setIsMissing(true)}
          />
          <span className="caption in-line">
            {index === given.length && tool.shows.kind === 'video' && <Icon name="play" size={14} />}
            {name}
          </span>
        </div>
      ))}
      <figcaption className="caption">Example</figcaption>
    </figure>
  );
}
