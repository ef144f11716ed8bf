import type { ComponentType } from 'react';
import { FIRST_CALL } from './developers/first-call.ts';
import { HERO_PICTURE } from './landing/hero-pairs.ts';
import { STATUS_FIGURES } from './status/element.ts';
import { TRY_HERE } from './try/element.ts';
import { VERIFY_HERE } from './verify/element.ts';

type LoadScreen = () => Promise<ComponentType>;

/** A page that is written as HTML at build. Its islands are hydrated without router or query cache. */
export type PublicRoute = {
  path: string;
  title: string;
  /** One sentence for search engines and previews. */
  description: string;
  /** What the server answers with; these two stand at no address of their own. */
  shownFor?: 'unknown address' | 'unknown address, signed in';
  load: LoadScreen;
  /** Most of a page needs no script: which element is hydrated, and as what; null when none is. */
  island: Island | null;
  /** What else is hydrated, but not before somebody has put a photo into its file input. */
  withPhoto?: Island;
};
type Island = { elementId: string; load: LoadScreen };

/** The element that holds the whole page. */
const ROOT = 'root';

const loadLogin: LoadScreen = async () => (await import('./auth/LoginPage.tsx')).LoginPage;

/** Every page that is read without a session. The routed app's addresses stand in `app-router.tsx`. */
export const publicRoutes: readonly PublicRoute[] = [
  {
    path: '/',
    title: 'Plinth: product pictures that sell',
    description:
      'Turn the photo you took on the kitchen table into a shop picture: a new setting, a clean cut-out, a garment on a model, a short video. Paid per picture.',
    load: async () => (await import('./landing/LandingScreen.tsx')).LandingScreen,
    island: { elementId: HERO_PICTURE, load: async () => (await import('./landing/HeroPicture.tsx')).HeroPicture },
    withPhoto: { elementId: TRY_HERE, load: async () => (await import('./try/TryHere.tsx')).TryHere },
  },
  {
    path: '/login',
    title: 'Sign In · Plinth',
    description: 'Sign in or sign up with Google or with your email, and turn your photos into shop pictures.',
    load: loadLogin,
    island: { elementId: ROOT, load: loadLogin },
  },
  {
    path: '/privacy',
    title: 'Privacy Policy · Plinth',
    description: 'What Plinth keeps about you, for how long, and who else gets to see it.',
    load: async () => (await import('./legal/PrivacyScreen.tsx')).PrivacyScreen,
    island: null,
  },
  {
    path: '/terms',
    title: 'Terms of Service · Plinth',
    description: 'The rules for using Plinth: your content, credits and payments, your account, and how it can end.',
    load: async () => (await import('./legal/TermsScreen.tsx')).TermsScreen,
    island: null,
  },
  {
    path: '/developers',
    title: 'Developers · Plinth',
    description: 'Make product pictures and videos from your own shop or script: keys, a first call, and every route.',
    load: async () => (await import('./developers/DevelopersScreen.tsx')).DevelopersScreen,
    island: { elementId: FIRST_CALL, load: async () => (await import('./developers/FirstCall.tsx')).FirstCall },
  },
  {
    path: '/status',
    title: 'Status · Plinth',
    description:
      'How generations ended in the last 24 hours and 30 days, and how long they took: figures, tool by tool.',
    load: async () => (await import('./status/StatusScreen.tsx')).StatusScreen,
    island: {
      elementId: STATUS_FIGURES,
      load: async () => (await import('./status/StatusFigures.tsx')).StatusFigures,
    },
  },
  {
    path: '/verify',
    title: 'Verify a picture · Plinth',
    description: 'See whether a picture or clip was made here, by what, and whether it was changed. It stays with you.',
    load: async () => (await import('./verify/VerifyScreen.tsx')).VerifyScreen,
    island: { elementId: VERIFY_HERE, load: async () => (await import('./verify/VerifyHere.tsx')).VerifyHere },
  },
  {
    path: '/404',
    title: 'Not found · Plinth',
    description: 'The page has moved or never was.',
    shownFor: 'unknown address',
    load: async () => (await import('./public/NotFoundScreen.tsx')).NotFoundScreen,
    island: null,
  },
  {
    path: '/404/signed-in',
    title: 'Not found · Plinth',
    description: 'The page has moved or never was.',
    shownFor: 'unknown address, signed in',
    load: async () => (await import('./public/NotFoundSignedIn.tsx')).NotFoundSignedIn,
    island: null,
  },
];
