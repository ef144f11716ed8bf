import { Logo } from '../ui/pages/Logo.tsx';
import { featuredOn, footer } from './content.ts';

export function FeaturedOn() {
  return (
    <section className="page-width strip columns" aria-labelledby="featured-title">
      <h2 className="small" id="featured-title">
        Featured on<span className="sr-only">: where pictures from Plinth are used</span>
      </h2>
      <ul>
        {featuredOn.map(({ name, url }) => (
          <li key={name}>{url === undefined ? name : <a href={url}>{name}</a>}</li>
        ))}
      </ul>
    </section>
  );
}

export function Footer() {
  return (
    <footer className="landing-foot">
      <div className="page-width foot-in">
        <div className="foot-line">
          <Logo />
          <p className="small">{footer.line}</p>
        </div>
        {footer.columns.map(({ title, links }) => (
          <nav key={title} className="links" aria-label={title}>
            <h2 className="caption">{title}</h2>
            {links.map(({ label, href }) => (
              <a key={href} href={href}>
                {label}
              </a>
            ))}
          </nav>
        ))}
      </div>
    </footer>
  );
}
