import { type Site, siteDefaults, type SiteWord } from '@plinth/contract/site';
import { expect, it } from 'vitest';
import { readConfig } from './config.ts';
import { makeSite } from './make-site.ts';

const SAID: Record<SiteWord, [setting: string, value: string, shown: string]> = {
  contactEmail: ['CONTACT_EMAIL', 'help@shop.example', 'help@shop.example'],
  socialUrl: ['SOCIAL_URL', 'https://social.example/@shop', 'https://social.example/@shop'],
  productsShown: ['PRODUCTS_SHOWN', '41', '41'],
  testimonialQuote: ['TESTIMONIAL_QUOTE', 'Well made.', 'Well made.'],
  testimonialBy: ['TESTIMONIAL_BY', 'Ann', 'Ann'],
  testimonialUrl: ['TESTIMONIAL_URL', 'https://ann.example/', 'https://ann.example/'],
  sellerName: ['SELLER_NAME', 'Ann & Sons', 'Ann & Sons'],
  sellerAddress: ['SELLER_ADDRESS', '1 High Street', '1 High Street'],
  welcome: ['SIGNUP_CREDITS', '3', '3 credits to start, no card'],
};
const words = Object.keys(SAID) as SiteWord[];
const environment = {
  ...Object.fromEntries(words.map((word) => [SAID[word][0], SAID[word][1]])),
  TESTIMONIAL_CONSENT: 'true',
};

it('public pages say what the operator set, each word by its own setting', () => {
  const shown = words.map((word) => [word, SAID[word][2]]);
  expect(makeSite(readConfig(environment))).toEqual(Object.fromEntries(shown) as Site);
});

it('public pages say what stands in the contract where nothing is set, and what the built-in engine gives', () => {
  expect(makeSite(readConfig({}))).toEqual({ ...siteDefaults, welcome: '3 credits to start, no card' });
  expect(makeSite(readConfig({ SIGNUP_CREDITS: '0' }))).toEqual(siteDefaults);
});
