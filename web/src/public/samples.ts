import { TRY_PHOTO } from '../platform/islands.ts';

export function watchSamples(): void {
  document.addEventListener('click', ({ target }) => {
    const path = target instanceof Element && target.closest<HTMLElement>('[data-sample]')?.dataset.sample;
    const input = document.getElementById(TRY_PHOTO);
    if (typeof path === 'string' && input instanceof HTMLInputElement && !input.disabled) void choose(input, path);
  });
}

async function choose(input: HTMLInputElement, path: string): Promise<void> {
  const blob = await fetch(path).then(
    (answer) => (answer.ok ? answer.blob() : null),
    () => null,
  );
  if (blob === null) return;
  const chosen = new DataTransfer();
  chosen.items.add(new File([blob], path.split('/').at(-1) ?? '', { type: blob.type }));
  input.files = chosen.files;
  input.dispatchEvent(new Event('change', { bubbles: true }));
  input.scrollIntoView({ block: 'nearest' });
}
