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
  const [{ hydrate }, Part] = await Promise.all([import('./come-alive.tsx'), route.alive.load()]);
  hydrate(document.getElementById(route.alive.elementId) ?? root, Part);
}

// A menu of links has done its work once one of them is followed.
document.addEventListener('click', ({ target }) => {
  if (target instanceof Element) target.closest('a')?.closest<HTMLElement>('[popover]')?.hidePopover();
});

void start(document.getElementById(ROOT) ?? document.body);
