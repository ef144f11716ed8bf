import { useEffect } from 'react';
import { IMAGE_MAX_BYTES, MEBIBYTE, MEDIA_TTL_SECONDS } from '@plinth/contract/limits';
import { listPackages } from '@plinth/contract/payments';
import { PackageCards } from '../payments/PackageCards.tsx';
import { buttonClass } from '../ui/Button.tsx';
import { Compare } from '../ui/Compare.tsx';
import { Icon } from '../ui/icons.tsx';
import { Logo } from '../ui/Logo.tsx';
import './landing.css';
import after480 from './pictures/mug-after-480.avif';
import after480Webp from './pictures/mug-after-480.webp';
import after768 from './pictures/mug-after-768.avif';
import after768Webp from './pictures/mug-after-768.webp';
import after1200 from './pictures/mug-after-1200.avif';
import after1200Webp from './pictures/mug-after-1200.webp';
import before480 from './pictures/mug-before-480.avif';
import before480Webp from './pictures/mug-before-480.webp';
import before768 from './pictures/mug-before-768.avif';
import before768Webp from './pictures/mug-before-768.webp';
import before1200 from './pictures/mug-before-1200.avif';
import before1200Webp from './pictures/mug-before-1200.webp';

type Sources = { avif: string; webp: string; fallback: string };
const before: Sources = {
  avif: `${before480} 480w, ${before768} 768w, ${before1200} 1200w`,
  webp: `${before480Webp} 480w, ${before768Webp} 768w, ${before1200Webp} 1200w`,
  fallback: before1200Webp,
};
const after: Sources = {
  avif: `${after480} 480w, ${after768} 768w, ${after1200} 1200w`,
  webp: `${after480Webp} 480w, ${after768Webp} 768w, ${after1200Webp} 1200w`,
  fallback: after1200Webp,
};

/** The start page: what it does, what it costs, and the way in. Needs neither router nor cache. */
export function LandingScreen() {
  useEffect(() => {
    document.title = 'Plinth: product pictures that sell';
  }, []);
  return (
    <>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <header className="top">
        <div className="page top-in">
          <Logo />
          <nav aria-label="Sections">
            <a href="#pricing">Pricing</a>
          </nav>
          <a className={buttonClass({ look: 'quiet' })} href="/login">
            Login
          </a>
        </div>
      </header>
      <main id="main">
        <Hero />
        <Pricing />
      </main>
      <footer className="foot">
        <div className="page foot-in">
          <Logo />
          <p className="small">Pictures that sell, from the photos you already have.</p>
        </div>
      </footer>
    </>
  );
}

function Hero() {
  return (
    <section className="hero" aria-labelledby="hero-title">
      <div className="hero-text">
        <h1 className="d1" id="hero-title">
          Every product deserves a plinth.
        </h1>
        <p className="lead">
          Upload the photo you took on the kitchen table. Get back a picture that belongs in a shop: a new setting, or a
          clean cut-out.
        </p>
        <div className="cta">
          <a className={buttonClass({ look: 'primary', big: true })} href="/login">
            Try it with your photo
            <Icon name="forward" />
          </a>
          <a className={buttonClass({ look: 'bare', big: true })} href="#pricing">
            See prices
          </a>
        </div>
        <p className="tag facts">
          JPEG, PNG or WebP, up to {IMAGE_MAX_BYTES / MEBIBYTE}MB
          <br />
          Deleted after {MEDIA_TTL_SECONDS / 3600} hours
        </p>
      </div>
      <div className="hero-pic">
        <Compare
          before={<Layer sources={before} className="layer before" alt="" />}
          after={
            <Layer sources={after} className="layer after" alt="The same red mug on a wooden table in morning light" />
          }
          labels={['Before', 'After']}
          start={47}
        />
        <p className="tag hero-foot">
          <b>Stoneware mug</b>
          <br />
          Phone photo, kitchen table. The new scene is a study made for this page.
        </p>
      </div>
    </section>
  );
}

function Layer({ sources, className, alt }: { sources: Sources; className: string; alt: string }) {
  const sizes = '(min-width: 1024px) 58vw, 100vw';
  return (
    <picture>
      <source type="image/avif" srcSet={sources.avif} sizes={sizes} />
      <img
        className={className}
        src={sources.fallback}
        srcSet={sources.webp}
        sizes={sizes}
        width={1200}
        height={1200}
        alt={alt}
        fetchPriority="high"
      />
    </picture>
  );
}

function Pricing() {
  return (
    <section id="pricing" className="page sec" aria-labelledby="pricing-title">
      <div className="sec-head">
        <h2 className="d2" id="pricing-title">
          Pay for pictures, not for months
        </h2>
        <p className="lead">
          No subscription. Buy credits once, spend them when you list something. One image request costs 1 credit.
        </p>
      </div>
      <PackageCards
        packages={listPackages()}
        action={(one) => (
          <a className={buttonClass({ look: one.popular ? 'primary' : 'quiet', wide: true })} href="/login">
            {`Get ${one.name}`}
          </a>
        )}
      />
      <p className="small mt-5">Prices in US dollars. Purchased credits are non-refundable.</p>
    </section>
  );
}
