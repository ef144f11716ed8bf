import { PackageCards } from '../payments/PackageCards.tsx';
import { TrySection } from '../try/TrySection.tsx';
import { buttonClass } from '../ui/button-class.ts';
import { Icon } from '../ui/icons.tsx';
import { IfSet, IfNotSet, site } from '../ui/pages/site.tsx';
import { benefits, credits, HOURS, OPEN_QUESTION, questions, UPLOADS } from './content.ts';
import { Features, Showcase } from './Features.tsx';
import { FeaturedOn, Footer } from './Footer.tsx';
import { HeroPicture } from './HeroPicture.tsx';
import './landing.css';
import { TopBar } from './TopBar.tsx';

/** Start page: what Plinth does, what it costs, and the sign-up. Written as HTML at build with two hydrated islands. */
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

function Hero() {
  return (
    <section className="landing-hero" aria-labelledby="hero-title">
      <div className="hero-text column">
        <h1 className="display-large" id="hero-title">
          Every product deserves a plinth.
        </h1>
        <p className="lead-text">
          Upload the photo you took on the kitchen table. Get back a picture that belongs in a shop: a new setting, a
          clean cut-out, a garment on a model, a short video.
        </p>
        <div className="hero-ways cluster">
          <a className={`${buttonClass({ look: 'primary', large: true })} with-script`} href="#try">
            Try it with your photo
            <Icon name="down" />
          </a>
          {/* The try-out needs a script. */}
          <a className={`${buttonClass({ look: 'primary', large: true })} without-script`} href="/login">
            Try it with your photo
            <Icon name="forward" />
          </a>
          <a className={buttonClass({ look: 'borderless', large: true })} href="#pricing">
            See prices
          </a>
        </div>
        <IfSet word="welcome">
          <p className="small is-good way-on for-visitors">{site('welcome')}</p>
        </IfSet>
        <ul className="caption facts">
          <li>{UPLOADS}</li>
          <li>Deleted after {HOURS} hours</li>
        </ul>
      </div>
      <div className="hero-pic column" id="hero-picture" data-island>
        <HeroPicture />
      </div>
    </section>
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
          Pay for pictures, not for months
        </h2>
        <p className="lead-text">
          No subscription. Buy credits once, spend them when you list something. One image request costs{' '}
          {credits('text-to-image')}.
        </p>
      </div>
      <PackageCards
        action={(one) => (
          <a
            className={buttonClass({ look: one.popular ? 'primary' : 'quiet', fullWidth: true })}
            href={`/login?to=${encodeURIComponent(`/dashboard/credits?package=${one.key}`)}`}
          >
            {`Choose ${one.name}`}
          </a>
        )}
      />
      <p className="small way-on">Prices in US dollars. Purchased credits are non-refundable.</p>
    </section>
  );
}

function Faq() {
  return (
    <section id="faq" className="page-width section questions columns" aria-labelledby="faq-title">
      <h2 className="display-small" id="faq-title">
        Before you ask
      </h2>
      <div className="accordion">
        {questions.map(({ question, answer }) => (
          <details key={question} name="faq" open={question === OPEN_QUESTION}>
            <summary className="spread">
              <h3 className="title-small">{question}</h3>
              <span className="accordion-sign">
                <Icon name="plus" />
              </span>
            </summary>
            <p>{answer}</p>
          </details>
        ))}
      </div>
    </section>
  );
}

function Reviews() {
  return (
    <section id="reviews" className="page-width section reviews columns" aria-label="Reviews">
      <div>
        <p className="count figures">{site('productsShown')}</p>
        <p className="title-small">products visualized</p>
      </div>
      <figure>
        <blockquote className="quote">{site('testimonialQuote')}</blockquote>
        <figcaption className="small way-on">
          <IfSet word="testimonialUrl">
            <a href={site('testimonialUrl')}>{site('testimonialBy')}</a>
          </IfSet>
          <IfNotSet word="testimonialUrl">{site('testimonialBy')}</IfNotSet>
        </figcaption>
      </figure>
    </section>
  );
}
