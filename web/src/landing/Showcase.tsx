import { showcase } from './content.ts';
import { Picture } from '../ui/pages/Picture.tsx';
import { stillPictures } from './still-pictures.ts';

export function Showcase() {
  return (
    <section className="showcase" aria-labelledby="show-title">
      <div className="page-width">
        <div className="sec-head columns">
          <h2 className="display-small" id="show-title">
            {showcase.title}
          </h2>
          <p className="lead-text">{showcase.lead}</p>
        </div>
        <div className="mosaic">
          {showcase.studies.map(({ picture, width, height, alt, sentence }) => (
            <figure key={picture}>
              <div className="print">
                <Picture
                  files={stillPictures}
                  name={picture}
                  width={width}
                  height={height}
                  sizes={width > height ? WIDE_SIZES : SIZES}
                  alt={alt}
                />
              </div>
              <figcaption className="caption">“{sentence}”</figcaption>
            </figure>
          ))}
        </div>
        <p className="caption way-on">{showcase.note}</p>
      </div>
    </section>
  );
}

// The tall pictures are cut at their sides, so they are drawn wider than the column they stand in.
const SIZES = '(width >= 1100px) 38vw, 60vw';
const WIDE_SIZES = '(width >= 1100px) 46vw, 94vw';
