import type { ComponentType } from 'react';

/** A page prerendered as HTML at build. Its interactive parts are elements with `data-island`. */
type PublicRoute = {
  path: string;
  title: string;
  /** Description for search engines; a page without one is not indexed. */
  description?: string;
  load: () => Promise<ComponentType>;
};

/** Every page that needs no session. The routed app's addresses are in `app-router.tsx`. */
export const publicRoutes: readonly PublicRoute[] = [
  {
    path: '/',
    title: 'Plinth: product pictures that sell',
    description:
      'Turn the photo you took on the kitchen table into a shop picture: a new setting, a clean cut-out, a garment on a model, a short video. Paid per picture.',
    load: async () => (await import('./landing/LandingScreen.tsx')).LandingScreen,
  },
  {
    path: '/login',
    title: 'Sign In · Plinth',
    description: 'Sign in or sign up with Google or with your email, and turn your photos into shop pictures.',
    load: async () => (await import('./auth/LoginPage.tsx')).LoginPage,
  },
  {
    path: '/privacy',
    title: 'Privacy Policy · Plinth',
    description: 'What Plinth keeps about you, for how long, and who else gets to see it.',
    load: async () => (await import('./legal/PrivacyScreen.tsx')).PrivacyScreen,
  },
  {
    path: '/terms',
    title: 'Terms of Service · Plinth',
    description: 'The rules for using Plinth: your content, credits and payments, your account, and how it can end.',
    load: async () => (await import('./legal/TermsScreen.tsx')).TermsScreen,
  },
  {
    path: '/developers',
    title: 'Developers · Plinth',
    description: 'Make product pictures and videos from your own shop or script: keys, a first call, and every route.',
    load: async () => (await import('./developers/DevelopersScreen.tsx')).DevelopersScreen,
  },
  {
    path: '/status',
    title: 'Status · Plinth',
    description:
      'How generations ended in the last 24 hours and 30 days, and how long they took: figures, tool by tool.',
    load: async () => (await import('./status/StatusScreen.tsx')).StatusScreen,
  },
  {
    path: '/verify',
    title: 'Verify a picture · Plinth',
    description: 'See whether a picture or clip was made here, by what, and whether it was changed. It stays with you.',
    load: async () => (await import('./verify/VerifyScreen.tsx')).VerifyScreen,
  },
  {
    path: '/404',
    title: 'Not found · Plinth',
    load: async () => (await import('./public/NotFoundScreen.tsx')).NotFoundScreen,
  },
];
