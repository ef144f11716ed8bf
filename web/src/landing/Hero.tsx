import { buttonClass } from '../ui/button-class.ts';
import { Icon } from '../ui/icons.tsx';
import { IfSet, site } from '../ui/pages/site.tsx';
import { HOURS, UPLOADS } from './content.ts';
import { HeroPicture } from './HeroPicture.tsx';

export function Hero() {
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
