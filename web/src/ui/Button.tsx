import { Button as BaseButton } from '@base-ui/react/button';
import type { ComponentProps, ReactNode } from 'react';
import { buttonClass, type ButtonLook } from './button-class.ts';

export type ButtonProps = Omit<ComponentProps<typeof BaseButton>, 'className' | 'prefix'> &
  ButtonLook & {
    icon?: ReactNode;
    /** The word while the work goes on; the button is then busy. */
    busy?: string | false | undefined;
    /** What pressing it costs, after a hairline; read out as "Generate, 1 credit". */
    cost?: string | undefined;
  };

/** A disabled button stays in the tab order, so that its reason can be heard. */
export function Button({ look = 'quiet', big, wide, square, icon, busy, cost, children, ...rest }: ButtonProps) {
  const isBusy = typeof busy === 'string';
  const shown = isBusy ? busy : children;
  return (
    <BaseButton
      type="button"
      focusableWhenDisabled
      {...rest}
      disabled={isBusy || rest.disabled === true}
      className={buttonClass({ look, big, wide, square })}
    >
      {isBusy ? <span className="spin" aria-hidden="true" /> : icon}
      {cost === undefined ? (
        shown
      ) : (
        <span className="priced">
          {shown}
          <span className="comma">, </span>
          <span className="cost">{cost}</span>
        </span>
      )}
    </BaseButton>
  );
}
