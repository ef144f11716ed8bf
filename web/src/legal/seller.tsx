import { Given, site } from '../ui/site.tsx';

/** The address people write to, as a link that also reads well on paper. */
export function ContactLink() {
  return (
    <a className="textpage-mail" href={`mailto:${site('contactEmail')}`}>
      {site('contactEmail')}
    </a>
  );
}

/** Who runs the site, where the operator says so. */
export function Seller() {
  return (
    <>
      <Given word="sellerName">
        <p>
          This site is run by <b>{site('sellerName')}</b>.
        </p>
      </Given>
      <Given word="sellerAddress">
        <address>{site('sellerAddress')}</address>
      </Given>
    </>
  );
}
