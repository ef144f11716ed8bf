import { IfSet, site } from '../ui/pages/site.tsx';

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
      <IfSet word="sellerName">
        <p>
          This site is run by <b>{site('sellerName')}</b>.
        </p>
      </IfSet>
      <IfSet word="sellerAddress">
        <address>{site('sellerAddress')}</address>
      </IfSet>
    </>
  );
}
