/** Resolves with the first of these events. */
export function once(target: EventTarget, ...names: string[]): Promise<void> {
  return new Promise((done) => {
    for (const name of names) target.addEventListener(name, () => done(), { once: true, passive: true });
  });
}

/**
 * Keeps what somebody does with a part of the page before its script is there: what stands in its inputs, be it typed
 * or filled in by the browser, and the buttons and choices that were pressed and forms that were sent, each once, in
 * the order of its last press. The returned function tells React of all that, once it has taken over.
 */
export function holdEarlyEvents(part: HTMLElement): () => Promise<void> {
  const presses = new Map<Element, () => void>();
  const hold = (pressed: Element, repeat: () => void) => {
    presses.delete(pressed);
    presses.set(pressed, repeat);
  };
  const ending = new AbortController();
  const handleClick = ({ target }: MouseEvent) => {
    const pressed = target instanceof Element ? target.closest<HTMLElement>(PRESSED) : null;
    if (pressed !== null) hold(pressed, () => pressed.click());
  };
  const handleSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    const { target: form, submitter } = event;
    if (form instanceof HTMLFormElement) hold(form, () => form.requestSubmit(submitter));
  };
  part.addEventListener('click', handleClick, ending);
  part.addEventListener('submit', handleSubmit, ending);
  return async () => {
    const used = [...part.querySelectorAll('input')].filter(({ value, defaultValue }) => value !== defaultValue);
    // Read all before the first is announced: with its answer React resets the others to what it knows of them.
    const texts = used.map(({ value }) => value);
    used.forEach((input, at) => announce(input, texts[at] ?? ''));
    // The handlers of the next moment know what was announced in this one.
    await new Promise((done) => setTimeout(done));
    ending.abort();
    for (const repeat of presses.values()) {
      repeat();
      await new Promise((done) => setTimeout(done));
    }
  };
}

const PRESSED = 'button[type="button"], input[type="radio"]';

/** React compares with the last value it saw set on the element, so it is shown another one first. */
function announce(input: HTMLInputElement, value: string): void {
  // The files that were chosen are still there; their name cannot be set.
  if (input.type === 'file') return void input.dispatchEvent(new Event('change', { bubbles: true }));
  input.value = '';
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, value);
  input.dispatchEvent(new Event('input', { bubbles: true }));
}
