export type PageWords = {
  title: string;
  description: string;
  isNotFound?: true;
};

/** By path. Apart from the routes, because only the build reads it. */
export const pageWords: Record<string, PageWords> = {
  '/': {
    title: 'Plinth: product pictures that sell',
    description:
      'Turn the photo you took on the kitchen table into a shop picture: a new setting, a clean cut-out, a garment on a model, a short video. Paid per picture.',
  },
  '/login': {
    title: 'Sign In · Plinth',
    description: 'Sign in or sign up with Google or with your email, and turn your photos into shop pictures.',
  },
  '/privacy': {
    title: 'Privacy Policy · Plinth',
    description: 'What Plinth keeps about you, for how long, and who else gets to see it.',
  },
  '/terms': {
    title: 'Terms of Service · Plinth',
    description: 'The rules for using Plinth: your content, credits and payments, your account, and how it can end.',
  },
  '/developers': {
    title: 'Developers · Plinth',
    description: 'Make product pictures and videos from your own shop or script: keys, a first call, and every route.',
  },
  '/status': {
    title: 'Status · Plinth',
    description:
      'How generations ended in the last 24 hours and 30 days, and how long they took: figures, tool by tool.',
  },
  '/verify': {
    title: 'Verify a picture · Plinth',
    description: 'See whether a picture or clip was made here, by what, and whether it was changed. It stays with you.',
  },
  '/404': {
    title: 'Not found · Plinth',
    description: 'The page has moved or never was.',
    isNotFound: true,
  },
};
