export type ButtonLook = {
  look?: 'primary' | 'quiet' | 'borderless' | 'danger';
  large?: boolean | undefined;
  fullWidth?: boolean | undefined;
  /** Only an icon inside. */
  square?: boolean | undefined;
};

/** Class names of a button, also for links that look like one. */
export function buttonClass({ look = 'quiet', large, fullWidth, square }: ButtonLook): string {
  return ['button', look, large && 'large', fullWidth && 'full-width', square && 'square'].filter(Boolean).join(' ');
}
