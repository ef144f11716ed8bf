import type { StatusDay } from '@plinth/contract/status';
import { DataTable } from '../ui/DataTable.tsx';
import { formatCount, plural } from '../ui/format.ts';
import { formatDate } from './figures.ts';

const HEIGHT = 100;
const BAR = 0.7;

export function DayBars({ days, dates }: { days: readonly StatusDay[]; dates: readonly string[] }) {
  const most = Math.max(1, ...days.map(({ ended }) => ended));
  return (
    <div className="day-bars">
      <svg
        viewBox={`0 0 ${dates.length} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Bars of ${plural(days.length, 'day')}, at most ${plural(most, 'generation')} a day`}
      >
        {dates.map((date, place) => {
          const day = days.find((one) => one.date === date);
          if (day === undefined)
            return <rect key={date} className="bar-none" x={place} y={HEIGHT - 2} width={BAR} height={2} />;
          const [ended, succeeded] = [day.ended, day.succeeded].map((count) => (count / most) * HEIGHT) as [
            number,
            number,
          ];
          return (
            <g key={date}>
              <rect className="ended" x={place} y={HEIGHT - ended} width={BAR} height={ended} />
              <rect className="bar-done" x={place} y={HEIGHT - succeeded} width={BAR} height={succeeded} />
            </g>
          );
        })}
      </svg>
      {days.length > 0 && <DayTable days={days} />}
    </div>
  );
}

function DayTable({ days }: { days: readonly StatusDay[] }) {
  return (
    <details>
      <summary className="small">Day by day</summary>
      <DataTable
        columns={[
          { head: 'Day', isHead: true, cell: ({ date }) => formatDate(date) },
          { head: 'Generations', cell: ({ ended }) => formatCount(ended) },
          { head: 'With a result', cell: ({ succeeded }) => formatCount(succeeded) },
        ]}
        rows={days.toReversed()}
        keyOf={({ date }) => date}
      />
    </details>
  );
}
