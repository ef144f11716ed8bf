import { listPackages } from '@plinth/contract/payments';
import { PackageCards } from '../payments/PackageCards.tsx';
import { TrySection } from '../try/TrySection.tsx';
import { buttonClass } from '../ui/button-class.ts';
import { benefits, pricing } from './content.ts';
import { Faq } from './Faq.tsx';
import { Features } from './Features.tsx';
import { FeaturedOn, Footer } from './Footer.tsx';
import { Hero } from './Hero.tsx';
import './landing.css';
import { Reviews } from './Reviews.tsx';
import { Showcase } from './Showcase.tsx';
import { TopBar } from './TopBar.tsx';

/** The start page: what it does, what it costs, and the way in. Written as HTML at build; only the hero is hydrated. */
export function LandingScreen() {
  return (
    <>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <TopBar />
      <main id="main" tabIndex={-1}>
        <Hero />
        <TrySection />
        <Features />
        <Showcase />
        <Benefits />
        <Pricing />
        <Reviews />
        <Faq />
        <FeaturedOn />
      </main>
      <Footer />
    </>
  );
}

function Benefits() {
  return (
    <section className="page-width section" aria-label="Benefits">
      <ul className="tiles">
        {benefits.map(({ name, title, text }) => (
          <li key={name}>
            <h3 className="caption">{name}</h3>
            <p className="display-small">{title}</p>
            <p className="small way-on">{text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Pricing() {
  return (
    <section id="pricing" className="page-width section offers" aria-labelledby="pricing-title">
      <div className="sec-head columns">
        <h2 className="display-small" id="pricing-title">
          {pricing.title}
        </h2>
        <p className="lead-text">{pricing.lead}</p>
      </div>
      <PackageCards
        packages={listPackages()}
        action={(one) => (
          <a
            className={buttonClass({ look: one.popular ? 'primary' : 'quiet', fullWidth: true })}
            href={`/login?to=${encodeURIComponent(`/dashboard/credits?package=${one.key}`)}`}
          >
            {`Choose ${one.name}`}
          </a>
        )}
      />
      <p className="small way-on">{pricing.note}</p>
    </section>
  );
}
