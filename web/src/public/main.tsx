import { watchClips } from './clips.ts';
import { holdEarlyEvents, once } from './early-events.ts';
import type * as Hydration from './hydration.tsx';
import { watchDrops, watchSamples } from './photos.ts';
import '../ui/sheets/ui.css';
import '../ui/sheets/overlays.css';

/**
 * Script of every public page. Islands are elements with `data-island`; their script is fetched on demand by the name
 * that the build wrote on the root. Until then this file is the only script.
 */
const root = document.getElementById('root') ?? document.body;

function load(): Promise<typeof Hydration> {
  const { script = '/src/public/hydration.tsx' } = root.dataset;
  return import(/* @vite-ignore */ script) as Promise<typeof Hydration>;
}

async function start(): Promise<void> {
  // In development nothing is prerendered: the whole page is rendered here.
  if (!root.hasChildNodes()) return (await load()).renderPage(root, window.location.pathname);
  for (const island of root.querySelectorAll<HTMLElement>('[data-island]'))
    void (island.dataset.island === 'photo' ? hydrateWithPhoto(island) : hydrateSoon(island));
}

/**
 * Resolves once the page is complete and visible, or the user interacts. Earlier, scripts would delay the hero picture.
 */
async function hydrateSoon(island: HTMLElement): Promise<void> {
  const replayEarlyEvents = holdEarlyEvents(island);
  await Promise.race([untilUsed(island), once(window, 'scroll'), untilSeen()]);
  // Content further down may now be fetched ahead.
  root.dataset.isComplete = '';
  await hydrate(island, root, () => untilUsed(island));
  await replayEarlyEvents();
}

/** Resolves once the file input has a photo, whether chosen, dropped or a sample; nothing is fetched before. */
async function hydrateWithPhoto(island: HTMLElement): Promise<void> {
  const untilNext = () => once(island, 'change');
  await untilNext();
  await hydrate(island, island, untilNext);
}

/** While the script cannot be fetched `marked` shows that, and the next interaction retries. */
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

/** Waits from the frame that shows the complete page until it has surely been painted. */
const SEEN_MS = 100;

async function untilSeen(): Promise<void> {
  if (document.readyState !== 'complete') await once(window, 'load');
  await new Promise(requestAnimationFrame);
  await new Promise((done) => setTimeout(done, SEEN_MS));
}

// A menu closes when one of its links is followed.
document.addEventListener('click', ({ target }) => {
  if (target instanceof Element) target.closest('a')?.closest<HTMLElement>('[popover]')?.hidePopover();
});

watchClips();
watchDrops();
watchSamples();
void start();
