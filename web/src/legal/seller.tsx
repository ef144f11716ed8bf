import { Given, site } from '../ui/pages/site.tsx';

export function ContactLink() {
  return (
    <a className="any-break" href={`mailto:${site('contactEmail')}`}>
      {site('contactEmail')}
    </a>
  );
}

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
