import { watchClips } from './clips.ts';
import { holdEarlyEvents, once } from './early-events.ts';
import type * as Hydration from './hydration.tsx';
import { listenForPhotos, watchSamples } from './photos.ts';
import '../ui/sheets/ui.css';
import '../ui/sheets/overlays.css';

/**
 * The script of every public page. What needs more than it lies in elements with `data-island`, and is fetched when it
 * is wanted, by the name that the build noted on the root; until then this file is all there is.
 */
const root = document.getElementById('root') ?? document.body;

function load(): Promise<typeof Hydration> {
  const { script = '/src/public/hydration.tsx' } = root.dataset;
  return import(/* @vite-ignore */ script) as Promise<typeof Hydration>;
}

async function start(): Promise<void> {
  // While developing nothing is written yet: the whole page is rendered here.
  if (!root.hasChildNodes()) return (await load()).renderPage(root, window.location.pathname);
  for (const island of root.querySelectorAll<HTMLElement>('[data-island]'))
    void (island.dataset.island === 'photo' ? hydrateWithPhoto(island) : hydrateSoon(island));
}

/** Once the page is complete and seen, or somebody uses it: earlier, scripts would hold up the hero picture. */
async function hydrateSoon(island: HTMLElement): Promise<void> {
  const replayEarlyEvents = holdEarlyEvents(island);
  await Promise.race([untilUsed(island), once(window, 'scroll'), untilSeen()]);
  // What lies further down may now be fetched before somebody gets there.
  root.dataset.isComplete = '';
  await hydrate(island, root, () => untilUsed(island));
  await replayEarlyEvents();
}

/** Once a photo lies in its file input, be it chosen, dropped or one of the samples; nothing is fetched before. */
async function hydrateWithPhoto(island: HTMLElement): Promise<void> {
  const photos = listenForPhotos(island);
  await photos.untilNext();
  await hydrate(island, island, photos.untilNext);
  photos.end();
}

/** While its script cannot be fetched `marked` shows that, and it is tried again when somebody wants it again. */
async function hydrate(island: HTMLElement, marked: HTMLElement, untilWanted: () => Promise<unknown>): Promise<void> {
  delete marked.dataset.isUnfetched;
  try {
    await (await load()).hydrateIsland(island);
  } catch {
    marked.dataset.isUnfetched = '';
    await untilWanted();
    await hydrate(island, marked, untilWanted);
  }
}

const untilUsed = (island: HTMLElement) => once(island, 'focusin', 'pointerdown', 'submit');

/** From the frame that shows the complete page until it has surely reached the screen. */
const SEEN_MS = 100;

async function untilSeen(): Promise<void> {
  if (document.readyState !== 'complete') await once(window, 'load');
  await new Promise(requestAnimationFrame);
  await new Promise((done) => setTimeout(done, SEEN_MS));
}

// A menu of links has done its work once one of them is followed.
document.addEventListener('click', ({ target }) => {
  if (target instanceof Element) target.closest('a')?.closest<HTMLElement>('[popover]')?.hidePopover();
});

watchClips();
watchSamples();
void start();
