import { IMAGE_MAX_BYTES, MEBIBYTE, MEDIA_TTL_SECONDS } from '@plinth/contract/limits';
import { listPackages } from '@plinth/contract/payments';
import { PackageCards } from '../payments/PackageCards.tsx';
import { buttonClass } from '../ui/button-class.ts';
import { Icon } from '../ui/icons.tsx';
import { Logo } from '../ui/Logo.tsx';
import { HERO_PICTURE } from './hero-picture-id.ts';
import { HeroPicture } from './HeroPicture.tsx';
import './landing.css';
/** The start page: what it does, what it costs, and the way in. Needs neither router nor cache. */
export function LandingScreen() {
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
        <div className="hero-compare" id={HERO_PICTURE}>
          <HeroPicture />
        </div>
        <p className="tag hero-foot">
          <b>Stoneware mug</b>
          <br />
          Phone photo, kitchen table. The new scene is a study made for this page.
        </p>
      </div>
    </section>
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
