import type { Generation } from '@plinth/contract/generations';
import { nameTool, tools } from '@plinth/contract/tools';
import { useNow } from '../../platform/clock.ts';
import { BlobImage } from '../../ui/BlobImage.tsx';
import '../generations.css';
import { sayWork, useBefore } from '../followed.ts';
import type { Followed } from '../memory.ts';

export function RunningCards({ running }: { running: Followed }) {
  return running.map((generation) => <RunningCard key={generation.id} generation={generation} />);
}

function RunningCard({ generation }: { generation: Generation }) {
  const now = useNow(1000);
  const picture = useBefore(generation);
  return (
    <li className="media-card picture-tile">
      <div className="print waiting">
        {picture && (
          <div className="under-pic cover">
            <BlobImage blob={picture} className="cover" alt="" />
          </div>
        )}
        <span className="spinner on-top" aria-hidden="true" />
      </div>
      <div className="media-caption">
        <div className="named">
          <h2 className="media-name in-line">{nameTool(tools[generation.tool])}</h2>
          <span className="caption figures">{sayWork(generation, now)}</span>
        </div>
      </div>
    </li>
  );
}
