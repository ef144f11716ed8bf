import type { ComponentType } from 'react';
import type { ToolId } from '@plinth/contract/tools';
import { HERO_PICTURE } from './landing/hero-pairs.ts';
import { TRY_HERE } from './try/element.ts';

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

/** A screen of the routed app. `frame` is what stands around it: nothing, the session gate, or the dashboard behind it. */
export type AppRoute = {
  path: string;
  frame: 'none' | 'session' | 'dashboard';
  /** Where the address leads instead, if anywhere, by its query part and what its placeholders stand for. */
  leadsTo?: (search: Record<string, unknown>, params: Record<string, string | undefined>) => string | null;
  load?: LoadScreen;
};

/** Every address of the product stands in the two lists below. Each entry reads its own and loads no screen of the other. */
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

/** The tools are handed in: their table is no small part of what a public page may weigh. */
export function listAppRoutes(toolIds: readonly ToolId[]): AppRoute[] {
  const firstTool = () => `/dashboard/${toolIds[0]}`;
  return [
    // The end of a session leads here without leaving the page, so that typed text is kept.
    {
      path: '/login',
      frame: 'none',
      load: async () => (await import('./auth/LoginInApp.tsx')).LoginInApp,
    },
    {
      path: '/auth/callback',
      frame: 'none',
      load: async () => (await import('./auth/CallbackScreen.tsx')).CallbackScreen,
    },
    {
      path: '/success',
      frame: 'session',
      load: async () => (await import('./dashboard/SuccessWithPhoto.tsx')).SuccessWithPhoto,
    },
    { path: '/dashboard', frame: 'dashboard', leadsTo: firstTool },
    ...toolIds.map((toolId) => ({
      path: `/dashboard/${toolId}`,
      frame: 'dashboard' as const,
      load: async () => {
        const { ToolScreen } = await import('./generations/ToolScreen.tsx');
        return () => <ToolScreen key={toolId} toolId={toolId} />;
      },
    })),
    {
      // With the id of a result, that one is shown large.
      path: '/dashboard/history/{-$mediaId}',
      frame: 'dashboard',
      load: async () => (await import('./dashboard/HistoryWithRunning.tsx')).HistoryWithRunning,
    },
    {
      path: '/dashboard/check',
      frame: 'dashboard',
      load: async () => (await import('./dashboard/CheckWithRemover.tsx')).CheckWithRemover,
    },
    {
      path: '/dashboard/catalogue',
      frame: 'dashboard',
      load: async () => (await import('./runs/RunsScreen.tsx')).RunsScreen,
    },
    {
      path: '/dashboard/catalogue/new',
      frame: 'dashboard',
      load: async () => (await import('./runs/NewRunScreen.tsx')).NewRunScreen,
    },
    {
      path: '/dashboard/catalogue/$runId',
      frame: 'dashboard',
      load: async () => (await import('./runs/RunScreen.tsx')).RunScreen,
    },
    {
      path: '/dashboard/credits',
      frame: 'dashboard',
      leadsTo: ({ success }) => (success === true ? '/success' : null),
      load: async () => (await import('./dashboard/CreditsWithLedger.tsx')).CreditsWithLedger,
    },
    {
      path: '/dashboard/change-password',
      frame: 'dashboard',
      load: async () => (await import('./auth/ChangePasswordScreen.tsx')).ChangePasswordScreen,
    },
    {
      path: '/dashboard/account',
      frame: 'dashboard',
      load: async () => (await import('./account/AccountScreen.tsx')).AccountScreen,
    },
    {
      path: '/dashboard/$',
      frame: 'dashboard',
      // The router takes the address without anything behind it for this one, too.
      leadsTo: (_search, { _splat }) => (_splat === undefined || _splat === '' ? firstTool() : null),
      load: async () => (await import('./dashboard/NotFoundInside.tsx')).NotFoundInside,
    },
  ];
}
