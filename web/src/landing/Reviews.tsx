import { reviews } from './content.ts';

export function Reviews() {
  const { testimonial } = reviews;
  return (
    <section id="reviews" className="page sec rev" aria-label="Reviews">
      <div>
        <p className="count num">{reviews.count}</p>
        <p className="t2">{reviews.counted}</p>
      </div>
      <figure>
        <blockquote className="quote">{testimonial.quote}</blockquote>
        <figcaption className="small">
          {testimonial.from === 'a person' && testimonial.link !== undefined ? (
            <a href={testimonial.link}>{testimonial.by}</a>
          ) : (
            testimonial.by
          )}
          {testimonial.from === 'a person' && testimonial.role !== undefined && `, ${testimonial.role}`}
        </figcaption>
      </figure>
    </section>
  );
}
