import { lazyPart } from '../../ui/lazyPart.tsx';

/** Asked for while the work runs, so that it is there with the result: its menus are a quarter of the tool screen. */
export const loadSecondTries = async () => (await import('./SecondTries.tsx')).SecondTries;
export const SecondTries = lazyPart(loadSecondTries, <div className="cluster second-tries" />);
