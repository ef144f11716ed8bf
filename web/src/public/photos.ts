const findInput = () => document.querySelector<HTMLInputElement>('[data-island="photo"] input[type="file"]');

/** Sets a file on an input as if the user had chosen it. */
function setInputFiles(files: FileList): void {
  const input = findInput();
  if (input === null) return;
  input.files = files;
  input.dispatchEvent(new Event('change', { bubbles: true }));
}

/** A photo dropped anywhere on the start page is for the try-out: the browser would leave the page to open it. */
export function watchDrops(): void {
  const handle = (event: DragEvent) => {
    const input = findInput();
    const { files } = event.dataTransfer ?? {};
    if (input === null) return;
    event.preventDefault();
    if (event.type !== 'drop' || files === undefined || files.length === 0 || input.disabled) return;
    setInputFiles(files);
    input.scrollIntoView({ block: 'nearest' });
  };
  document.addEventListener('dragover', handle);
  document.addEventListener('drop', handle);
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
