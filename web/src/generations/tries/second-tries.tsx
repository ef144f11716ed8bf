import { lazyPart } from '../../ui/lazyPart.tsx';

/** Fetched while the work runs, so it is ready with the result: its menus are a quarter of the tool screen. */
export const SecondTries = lazyPart(
  async () => (await import('./SecondTries.tsx')).SecondTries,
  () => <div className="second-tries" />,
);
