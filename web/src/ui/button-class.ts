export type ButtonLook = {
  look?: 'primary' | 'quiet' | 'bare' | 'danger';
  big?: boolean | undefined;
  wide?: boolean | undefined;
  /** Only an icon inside. */
  square?: boolean | undefined;
};

/** Class names of a button, also for links that look like one. */
export function buttonClass({ look = 'quiet', big, wide, square }: ButtonLook): string {
  return ['btn', look, big && 'big', wide && 'wide', square && 'square'].filter(Boolean).join(' ');
}
