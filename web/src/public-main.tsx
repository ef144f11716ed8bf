import { holdEarlyUse } from './early-use.ts';
import { publicRoutes, ROOT } from './routes.tsx';
import './ui/ui.css';
import './ui/overlays.css';

/** The script of every public page: brings the part to life that needs it. The build noted on the root which page it is. */
async function start(root: HTMLElement): Promise<void> {
  const path = root.dataset.page ?? window.location.pathname;
  const route = publicRoutes.find((one) => one.path === path);
  if (route === undefined) return;
  // While developing nothing is written yet: the whole page is rendered here.
  if (!root.hasChildNodes()) {
    const [{ render }, Screen] = await Promise.all([import('./come-alive.tsx'), route.load()]);
    return render(root, Screen);
  }
  if (route.alive === null) return;
  const part = document.getElementById(route.alive.elementId) ?? root;
  const repeatEarlyUse = holdEarlyUse(part);
  await untilWanted(part);
  // One after the other: run together, they would hold the page for one long moment.
  const { hydrate } = await import('./come-alive.tsx');
  await untilNextTask();
  const Part = await route.alive.load();
  await untilNextTask();
  await hydrate(part, Part);
  await repeatEarlyUse();
}

/** Waits until the page is complete and seen, or somebody uses it: earlier, its scripts would hold up the hero picture. */
function untilWanted(part: HTMLElement): Promise<void> {
  return new Promise((done) => {
    for (const name of ['focusin', 'pointerdown']) part.addEventListener(name, () => done(), { once: true });
    const handleLoad = () => requestAnimationFrame(() => requestAnimationFrame(() => done()));
    if (document.readyState === 'complete') handleLoad();
    else window.addEventListener('load', handleLoad, { once: true });
  });
}

function untilNextTask(): Promise<void> {
  return new Promise((done) => setTimeout(done));
}

// A menu of links has done its work once one of them is followed.
document.addEventListener('click', ({ target }) => {
  if (target instanceof Element) target.closest('a')?.closest<HTMLElement>('[popover]')?.hidePopover();
});

void start(document.getElementById(ROOT) ?? document.body);
