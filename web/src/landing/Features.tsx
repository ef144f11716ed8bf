import clip from '../../pictures/shown-clip.mp4';
import { Icon } from '../ui/icons.tsx';
import { features, studies } from './content.ts';
import { Picture } from '../ui/pages/Picture.tsx';

const stillPictures = import.meta.glob<string>('./pictures/{scene,cutout,study}-*', {
  eager: true,
  query: '?url',
  import: 'default',
});
const CARD_SIZES = '(width >= 1100px) 24vw, (width >= 640px) 46vw, 100vw';
// The tall pictures are cropped at their sides, so they are drawn wider than their column.
const STUDY_SIZES = '(width >= 1100px) 38vw, 60vw';
const WIDE_STUDY_SIZES = '(width >= 1100px) 46vw, 94vw';

export function Features() {
  return (
    <section id="features" className="page-width section" aria-labelledby="features-title">
      <h2 className="display-small" id="features-title">
        Four ways to show it better
      </h2>
      <ul className="features">
        {features.map((card) => (
          <Feature key={card.title} card={card} />
        ))}
      </ul>
    </section>
  );
}

function Feature({ card: { title, tool, text, price, picture } }: { card: (typeof features)[number] }) {
  return (
    <li className="feature">
      <div className={picture.look === 'cutout' ? 'print checker' : 'print'}>
        <Picture
          files={stillPictures}
          name={picture.name}
          width={480}
          height={picture.look === 'cutout' ? 655 : 480}
          sizes={CARD_SIZES}
          alt={picture.alt}
        />
        {picture.look === 'clip' && (
          <>
            <video
              className="feature-clip cover"
              data-clip={clip}
              muted
              loop
              playsInline
              preload="none"
              aria-hidden="true"
            />
            <button
              type="button"
              className="on-picture caption in-line clip-switch"
              aria-pressed="false"
              aria-label="Play the clip, 0:04"
            >
              <Icon name="play" size={16} />
              0:04
            </button>
          </>
        )}
      </div>
      <div className="stand column footing">
        <h3 className="title-small">{title}</h3>
        <p className="small">{text}</p>
        <p className="feat-foot spread">
          <a
            className="in-line control-text touchable underlined"
            href={`/login?to=${encodeURIComponent(`/dashboard/${tool}`)}`}
          >
            Try it
            <Icon name="forward" size={16} />
            <span className="sr-only">: {title}</span>
          </a>
          <span className="caption figures">{price}</span>
        </p>
      </div>
    </li>
  );
}

export function Showcase() {
  return (
    <section className="showcase" aria-labelledby="show-title">
      <div className="page-width">
        <div className="sec-head columns">
          <h2 className="display-small" id="show-title">
            Your product, in better company
          </h2>
          <p className="lead-text">
            One sentence sets the scene. Write what you see in your head and let the light follow.
          </p>
        </div>
        <div className="mosaic">
          {studies.map(({ picture, width, height, alt, sentence }) => (
            <figure key={picture} className="column">
              <div className="print">
                <Picture
                  files={stillPictures}
                  name={picture}
                  width={width}
                  height={height}
                  sizes={width > height ? WIDE_STUDY_SIZES : STUDY_SIZES}
                  alt={alt}
                />
              </div>
              <figcaption className="caption">“{sentence}”</figcaption>
            </figure>
          ))}
        </div>
        <p className="caption way-on">
          Plinth made these five and the four above by itself, from rendered photos, with its built-in engine.
        </p>
      </div>
    </section>
  );
}
