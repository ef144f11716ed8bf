import clip from '../../pictures/shown-clip.mp4';
import { Icon } from '../ui/icons.tsx';
import { features } from './content.ts';
import { Picture } from '../ui/pages/Picture.tsx';
import { stillPictures } from './still-pictures.ts';

type Card = (typeof features.cards)[number];

const SIZES = '(width >= 1100px) 24vw, (width >= 640px) 46vw, 100vw';

export function Features() {
  return (
    <section id="features" className="page-width section" aria-labelledby="features-title">
      <h2 className="display-small" id="features-title">
        {features.title}
      </h2>
      <ul className="features">
        {features.cards.map((card) => (
          <Feature key={card.title} card={card} />
        ))}
      </ul>
    </section>
  );
}

function Feature({ card: { title, tool, text, price, picture } }: { card: Card }) {
  return (
    <li className="feature">
      <div className={picture.look === 'cutout' ? 'print checker' : 'print'}>
        <Picture
          files={stillPictures}
          name={picture.name}
          width={480}
          height={picture.look === 'cutout' ? 655 : 480}
          sizes={SIZES}
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
              className="playmark on-picture caption in-line clip-switch"
              aria-pressed="false"
              aria-label="Play the clip, 0:04"
            >
              <Icon name="play" size={16} />
              0:04
            </button>
          </>
        )}
      </div>
      <div className="stand">
        <h3 className="title-small">{title}</h3>
        <p className="small">{text}</p>
        <p className="feat-foot spread">
          <a
            className="try-it in-line control-text underlined"
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
