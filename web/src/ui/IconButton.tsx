import { Button, type ButtonProps } from './Button.tsx';
import { Icon, type IconName } from './icons.tsx';

type IconButtonProps = Pick<ButtonProps, 'disabled' | 'asksServer' | 'onClick'> & { icon: IconName; label: string };

/** A button that shows only a drawing. */
export function IconButton({ icon, label, ...rest }: IconButtonProps) {
  return (
    <Button {...rest} look="borderless" square aria-label={label}>
      <Icon name={icon} />
    </Button>
  );
}
