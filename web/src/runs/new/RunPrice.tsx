import { Link } from '@tanstack/react-router';
import { useCredits } from '../../credits/useCredits.ts';
import { useOnline } from '../../platform/online.ts';
import { Button } from '../../ui/Button.tsx';
import { buttonClass } from '../../ui/button-class.ts';
import { ErrorBox } from '../../ui/ErrorBox.tsx';
import { formatCount, plural } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';

type RunPriceProps = {
  count: number;
  /** What is still needed before the run can start; null if nothing is. */
  lacking: string | null;
  /** Sentences about photos that are too small. */
  sizeWarnings: readonly string[];
  cost: number;
  refusal: string | null;
  isStarting: boolean;
};

export function RunPrice({ count, lacking, sizeWarnings, cost, refusal, isStarting }: RunPriceProps) {
  const credits = useCredits();
  const isOnline = useOnline();
  const price = count * cost;
  const lack = credits === undefined ? 0 : Math.max(0, price - credits);
  const isPoor = count > 0 && lack > 0;
  const canBegin = !isPoor || (credits ?? 0) >= cost;
  return (
    <div className="run-price stack in-sight ruled">
      <div className="cluster">
        {/* Once it starts, its photos leave this form, which is no news. */}
        <p className="control-text figures" id="run-sum" role={isStarting ? undefined : 'status'}>
          <b>{plural(count, 'photo')}</b>, {plural(price, 'credit')}
          {credits !== undefined && `, you have ${formatCount(credits)}`}
        </p>
        {isPoor && <p className="small is-soon figures">{plural(lack, 'credit')} missing.</p>}
      </div>
      {sizeWarnings.length > 0 && (
        <div className="small warning-box in-line" id="run-small">
          <Icon name="warning" />
          <div>
            {sizeWarnings.map((line) => (
              <p key={line}>{line}</p>
            ))}
            <p>You can start all the same: only these files will be missing.</p>
          </div>
        </div>
      )}
      {refusal !== null && <ErrorBox id="run-refusal">{refusal}</ErrorBox>}
      <div className="cluster run-starts">
        {isPoor && (
          <Link className={buttonClass({ look: 'primary', large: true, fullWidth: true })} to="/dashboard/credits">
            Get credits
          </Link>
        )}
        {canBegin && (
          <Button
            type="submit"
            look={isPoor ? 'quiet' : 'primary'}
            large={!isPoor}
            fullWidth
            cost={isPoor || count === 0 ? undefined : plural(price, 'credit')}
            busy={isStarting && 'Starting...'}
            disabled={lacking !== null || !isOnline}
            aria-describedby="run-sum run-small run-why"
          >
            {isPoor ? 'Start with what I have' : 'Start'}
          </Button>
        )}
      </div>
      <p className={lacking === null ? 'small run-comfort' : 'small'} id="run-why">
        {lacking ?? 'A photo that does not work costs nothing: its credit comes back.'}
      </p>
    </div>
  );
}
