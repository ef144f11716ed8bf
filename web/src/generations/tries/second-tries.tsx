import { lazyPart } from '../../ui/lazyPart.tsx';

/** Prepared while the work runs, so that it is there with the result: its menus are a quarter of the tool screen. */
export const SecondTries = lazyPart(
  async () => (await import('./SecondTries.tsx')).SecondTries,
  () => <div className="second-tries" />,
);
