import { watchClips } from './clips.ts';
import { watchSamples } from './samples.ts';
import type * as Hydration from './hydration.tsx';
import { holdEarlyEvents } from './early-events.ts';
import '../ui/sheets/ui.css';
import '../ui/sheets/overlays.css';

/**
 * The script of every public page. The build noted on the root which page it is, which element is hydrated and where
 * its script lies: what hydrates it is fetched when it is wanted, and until then this file is all there is.
 */
async function start(root: HTMLElement): Promise<void> {
  const { page = window.location.pathname, island, withPhoto, script = '/src/public/hydration.tsx' } = root.dataset;
  const load = () => import(/* @vite-ignore */ script) as Promise<typeof Hydration>;
  // While developing nothing is written yet: the whole page is rendered here.
  if (!root.hasChildNodes()) return (await load()).renderPage(root, page);
  const waiting = withPhoto === undefined ? null : document.getElementById(withPhoto);
  if (waiting !== null) awaitPhoto(waiting, async () => (await load()).hydratePart(waiting, page));
  const part = island === undefined ? null : document.getElementById(island);
  if (part === null) return;
  const replayEarlyEvents = holdEarlyEvents(part);
  await untilWanted(part);
  // What lies further down may now be fetched before somebody gets there.
  root.dataset.isComplete = '';
  await hydratePatiently(root, part, async () => (await load()).hydratePart(part, page));
  await replayEarlyEvents();
}

/** While its script cannot be fetched the page says so, and it is tried again whenever somebody uses the part. */
async function hydratePatiently(root: HTMLElement, part: HTMLElement, hydrate: () => Promise<void>): Promise<void> {
  try {
    await hydrate();
    delete root.dataset.isUnfetched;
  } catch {
    root.dataset.isUnfetched = '';
    await new Promise<void>((done) => whenUsed(part, done));
    await hydratePatiently(root, part, hydrate);
  }
}

function whenUsed(part: HTMLElement, done: () => void): void {
  for (const name of ['focusin', 'pointerdown', 'submit']) part.addEventListener(name, () => done(), { once: true });
}

/** Hydrates a part once a photo lies in its file input, be it chosen or dropped; nothing is fetched before. */
function awaitPhoto(part: HTMLElement, hydratePart: () => Promise<void>): void {
  const input = part.querySelector<HTMLInputElement>('input[type="file"]');
  if (input === null) return;
  const ending = new AbortController();
  const handlePhoto = () => {
    delete part.dataset.isUnfetched;
    hydratePart().then(
      () => ending.abort(),
      () => (part.dataset.isUnfetched = ''),
    );
  };
  input.addEventListener('change', handlePhoto, ending);
  part.addEventListener('dragover', (event) => event.preventDefault(), ending);
  const handleDrop = (event: DragEvent) => {
    event.preventDefault();
    if (!event.dataTransfer?.files.length) return;
    input.files = event.dataTransfer.files;
    handlePhoto();
  };
  part.addEventListener('drop', handleDrop, ending);
}

/** From the frame that shows the complete page until it has surely reached the screen. */
const SEEN_MS = 100;

/**
 * Waits until the page is complete and seen, or somebody uses it: earlier, its scripts would hold up the hero picture.
 */
function untilWanted(part: HTMLElement): Promise<void> {
  return new Promise((done) => {
    whenUsed(part, done);
    window.addEventListener('scroll', () => done(), { once: true, passive: true });
    const handleLoad = () => requestAnimationFrame(() => setTimeout(done, SEEN_MS));
    if (document.readyState === 'complete') handleLoad();
    else window.addEventListener('load', handleLoad, { once: true });
  });
}

// A menu of links has done its work once one of them is followed.
document.addEventListener('click', ({ target }) => {
  if (target instanceof Element) target.closest('a')?.closest<HTMLElement>('[popover]')?.hidePopover();
});

watchClips();
watchSamples();
void start(document.getElementById('root') ?? document.body);
