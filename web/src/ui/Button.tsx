import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { useOnline } from '../platform/online.ts';
import { buttonClass, type ButtonLook } from './button-class.ts';

export type ButtonProps = Omit<ComponentProps<'button'>, 'className'> &
  ButtonLook & {
    icon?: ReactNode;
    busy?: string | false | undefined;
    /** Its cost, shown after a hairline; read out as "Generate, 1 credit". */
    cost?: string | undefined;
    /** Without a network it looks and acts disabled. */
    asksServer?: boolean;
  };

/** A disabled button stays in the tab order, so that a screen reader can read its reason. */
export function Button(props: ButtonProps) {
  const { look, large, fullWidth, square, atStart, ...given } = props;
  const { icon, busy, cost, asksServer, disabled, onClick, children, ...rest } = given;
  const isOnline = useOnline();
  const isBusy = typeof busy === 'string';
  const isOff = isBusy || disabled === true || (asksServer === true && !isOnline);
  const shown = isBusy ? busy : children;
  return (
    <button
      type="button"
      {...rest}
      aria-disabled={isOff}
      onClick={isOff ? refuse : onClick}
      className={buttonClass({ look, large, fullWidth, square, atStart })}
    >
      {isBusy ? <span className="spinner" aria-hidden="true" /> : icon}
      {cost === undefined ? (
        shown
      ) : (
        <span>
          {shown}
          <span className="comma">, </span>
          <span className="button-cost">{cost}</span>
        </span>
      )}
    </button>
  );
}

/** Also stops a submit button, which Enter in a field of its form presses. */
const refuse = (event: MouseEvent) => event.preventDefault();
