import { Given, NotGiven } from '../ui/pages/site.tsx';
import { reviews } from './content.ts';

export function Reviews() {
  const { count, counted, quote, by, url } = reviews;
  return (
    <section id="reviews" className="page-width section reviews columns" aria-label="Reviews">
      <div>
        <p className="count figures">{count}</p>
        <p className="title-small">{counted}</p>
      </div>
      <figure>
        <blockquote className="quote">{quote}</blockquote>
        <figcaption className="small way-on">
          <Given word="testimonialUrl">
            <a href={url}>{by}</a>
          </Given>
          <NotGiven word="testimonialUrl">{by}</NotGiven>
        </figcaption>
      </figure>
    </section>
  );
}
