import type { ComponentType } from 'react';
import { FIRST_CALL, HERO_PICTURE, STATUS_FIGURES, TRY_HERE, VERIFY_HERE } from './platform/islands.ts';

type LoadScreen = () => Promise<ComponentType>;

/** A page that is written as HTML at build. Its islands are hydrated without router or query cache. */
export type PublicRoute = {
  path: string;
  load: LoadScreen;
  /** Most of a page needs no script: which element is hydrated, and as what; none where it is absent. */
  island?: Island;
  /** What else is hydrated, but not before somebody has put a photo into its file input. */
  withPhoto?: Island;
};
type Island = { elementId: string; load: LoadScreen };

const ROOT = 'root';

/** Every page that is read without a session. The routed app's addresses stand in `app-router.tsx`. */
export const publicRoutes: readonly PublicRoute[] = [
  {
    path: '/',
    load: async () => (await import('./landing/LandingScreen.tsx')).LandingScreen,
    island: { elementId: HERO_PICTURE, load: async () => (await import('./landing/HeroPicture.tsx')).HeroPicture },
    withPhoto: { elementId: TRY_HERE, load: async () => (await import('./try/TryHere.tsx')).TryHere },
  },
  wholePage('/login', async () => (await import('./auth/LoginPage.tsx')).LoginPage),
  { path: '/privacy', load: async () => (await import('./legal/PrivacyScreen.tsx')).PrivacyScreen },
  { path: '/terms', load: async () => (await import('./legal/TermsScreen.tsx')).TermsScreen },
  {
    path: '/developers',
    load: async () => (await import('./developers/DevelopersScreen.tsx')).DevelopersScreen,
    island: { elementId: FIRST_CALL, load: async () => (await import('./developers/FirstCall.tsx')).FirstCall },
  },
  {
    path: '/status',
    load: async () => (await import('./status/StatusScreen.tsx')).StatusScreen,
    island: { elementId: STATUS_FIGURES, load: async () => (await import('./status/StatusFigures.tsx')).StatusFigures },
  },
  {
    path: '/verify',
    load: async () => (await import('./verify/VerifyScreen.tsx')).VerifyScreen,
    island: { elementId: VERIFY_HERE, load: async () => (await import('./verify/VerifyHere.tsx')).VerifyHere },
  },
  { path: '/404', load: async () => (await import('./public/NotFoundScreen.tsx')).NotFoundScreen },
];

/** A page that is hydrated as a whole. */
function wholePage(path: string, load: LoadScreen): PublicRoute {
  return { path, load, island: { elementId: ROOT, load } };
}
