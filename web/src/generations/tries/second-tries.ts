import { lazy } from 'react';

/** Asked for while the work runs, so that it is there with the result: its menus are a quarter of the tool screen. */
export const loadSecondTries = async () => ({ default: (await import('./SecondTries.tsx')).SecondTries });
export const SecondTries = lazy(loadSecondTries);
