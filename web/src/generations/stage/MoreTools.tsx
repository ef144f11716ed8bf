import { Link } from '@tanstack/react-router';
import { toolIds, tools, type ToolId } from '@plinth/contract/tools';
import type { Tool } from '@plinth/contract/tool';
import { plural } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';

export function MoreTools({ toolId }: { toolId: ToolId }) {
  const more = toolIds.filter((id) => (tools[id] as Tool).besides === toolId);
  if (more.length === 0) return null;
  return (
    <nav className="more-tools" aria-label="More tools">
      <h2 className="caption">More tools</h2>
      {more.map((id) => (
        <Link key={id} className="surface in-line" to={`/dashboard/${id}`} preload="intent">
          <Icon name={tools[id].icon} />
          <span className="grows named">
            <b>{tools[id].title}</b>
            <span className="small">{tools[id].line}</span>
          </span>
          <span className="caption figures one-line">{plural(tools[id].cost, 'credit')}</span>
        </Link>
      ))}
    </nav>
  );
}
