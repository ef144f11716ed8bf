export type ButtonLook = {
  look?: 'primary' | 'quiet' | 'borderless' | 'danger' | undefined;
  large?: boolean | undefined;
  fullWidth?: boolean | undefined;
  square?: boolean | undefined;
  /** As wide as its text, where other buttons fill their line. */
  atStart?: boolean | undefined;
};

export function buttonClass({ look = 'quiet', large, fullWidth, square, atStart }: ButtonLook): string {
  const added = [large && 'large', fullWidth && 'full-width', square && 'square', atStart && 'at-start'];
  return ['button', look, ...added].filter(Boolean).join(' ');
}
