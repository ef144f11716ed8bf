export type ButtonLook = {
  look?: 'primary' | 'quiet' | 'borderless' | 'danger';
  large?: boolean | undefined;
  fullWidth?: boolean | undefined;
  square?: boolean | undefined;
};

export function buttonClass({ look = 'quiet', large, fullWidth, square }: ButtonLook): string {
  return ['button', look, large && 'large', fullWidth && 'full-width', square && 'square'].filter(Boolean).join(' ');
}
