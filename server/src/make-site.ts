import { sayWelcome, type Site, siteDefaults } from '@plinth/contract/site';
import type { Config } from './config.ts';

/** The operator's details on public pages. */
export function makeSite(config: Config): Site {
  const hasTestimonial = config.TESTIMONIAL_QUOTE !== undefined;
  return {
    contactEmail: config.CONTACT_EMAIL ?? siteDefaults.contactEmail,
    socialUrl: config.SOCIAL_URL ?? siteDefaults.socialUrl,
    productsShown: config.PRODUCTS_SHOWN ?? siteDefaults.productsShown,
    testimonialQuote: config.TESTIMONIAL_QUOTE ?? siteDefaults.testimonialQuote,
    testimonialBy: config.TESTIMONIAL_BY ?? siteDefaults.testimonialBy,
    testimonialUrl: hasTestimonial ? (config.TESTIMONIAL_URL ?? null) : siteDefaults.testimonialUrl,
    sellerName: config.SELLER_NAME ?? siteDefaults.sellerName,
    sellerAddress: config.SELLER_ADDRESS ?? siteDefaults.sellerAddress,
    welcome: sayWelcome(config.SIGNUP_CREDITS),
  };
}
