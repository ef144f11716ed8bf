/** Resolves with the first of these events. */
export function once(target: EventTarget, ...names: string[]): Promise<void> {
  return new Promise((done) => {
    for (const name of names) target.addEventListener(name, () => done(), { once: true, passive: true });
  });
}

/**
 * Records what the user does with an island before its script is loaded: typed or autofilled inputs, pressed buttons
 * and choices, and submitted forms, each once, in the order of the last action. The returned function replays them to
 * React after hydration.
 */
export function holdEarlyEvents(part: HTMLElement): () => Promise<void> {
  const presses = new Map<Element, () => void>();
  const hold = (pressed: Element, repeat: () => void) => {
    presses.delete(pressed);
    presses.set(pressed, repeat);
  };
  const ending = new AbortController();
  const handleClick = (event: MouseEvent) => {
    const pressed = event.target instanceof Element ? event.target.closest<HTMLElement>(PRESSED) : null;
    if (pressed === null) return;
    event.stopImmediatePropagation(); // React may be there already, and has to know the presses before this one first.
    hold(pressed, () => pressed.click());
  };
  const handleSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    event.stopImmediatePropagation();
    const { target: form, submitter } = event;
    if (form instanceof HTMLFormElement) hold(form, () => form.requestSubmit(submitter));
  };
  part.addEventListener('click', handleClick, ending);
  part.addEventListener('submit', handleSubmit, ending);
  return async () => {
    const used = [...part.querySelectorAll('input')].filter(({ value, defaultValue }) => value !== defaultValue);
    // Read all values before the first event: React's response resets the other inputs to the values it knows.
    const texts = used.map(({ value }) => value);
    used.forEach((input, at) => announce(input, texts[at] ?? ''));
    // Handlers of the next tick know what was dispatched in this one.
    await new Promise((done) => setTimeout(done));
    ending.abort();
    for (const repeat of presses.values()) {
      repeat();
      await new Promise((done) => setTimeout(done));
    }
  };
}

const PRESSED = 'button[type="button"], input[type="radio"]';

/** React compares with the value it last saw set on the element, so another value is set first. */
function announce(input: HTMLInputElement, value: string): void {
  // The chosen files are still there; a file input's value cannot be set.
  if (input.type === 'file') return void input.dispatchEvent(new Event('change', { bubbles: true }));
  input.value = '';
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, value);
  input.dispatchEvent(new Event('input', { bubbles: true }));
}
