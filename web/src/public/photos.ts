import { once } from './early-events.ts';

const findInput = () => document.querySelector<HTMLInputElement>('[data-island="photo"] input[type="file"]');

/** Sets a file on an input as if the user had chosen it. */
function setInputFiles(files: FileList): void {
  const input = findInput();
  if (input === null) return;
  input.files = files;
  input.dispatchEvent(new Event('change', { bubbles: true }));
}

/** Calls back for each photo chosen in, or dropped onto, an island without a script, until stopped. */
export function listenForPhotos(island: HTMLElement) {
  const ending = new AbortController();
  island.addEventListener('dragover', (event) => event.preventDefault(), ending);
  const handleDrop = (event: DragEvent) => {
    event.preventDefault();
    if (event.dataTransfer?.files.length) setInputFiles(event.dataTransfer.files);
  };
  island.addEventListener('drop', handleDrop, ending);
  return {
    untilNext: () => once(island, 'change'),
    end: () => ending.abort(),
  };
}

/** The samples on the start page act as photos, with and without the script of the try-out. */
export function watchSamples(): void {
  document.addEventListener('click', ({ target }) => {
    const path = target instanceof Element && target.closest<HTMLElement>('[data-sample]')?.dataset.sample;
    if (typeof path === 'string' && findInput()?.disabled === false) void chooseSample(path);
  });
}

async function chooseSample(path: string): Promise<void> {
  const answer = await fetch(path).catch(() => null);
  if (answer?.ok !== true) return;
  const blob = await answer.blob();
  const chosen = new DataTransfer();
  chosen.items.add(new File([blob], path.split('/').at(-1) ?? '', { type: blob.type }));
  setInputFiles(chosen.files);
  findInput()?.scrollIntoView({ block: 'nearest' });
}
