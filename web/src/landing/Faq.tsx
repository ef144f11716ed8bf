import { Icon } from '../ui/icons.tsx';
import { faq } from './content.ts';

export function Faq() {
  return (
    <section id="faq" className="page-width section questions columns" aria-labelledby="faq-title">
      <h2 className="display-small" id="faq-title">
        {faq.title}
      </h2>
      <div className="accordion">
        {faq.questions.map(({ question, answer }) => (
          <details key={question} name="faq" open={question === faq.open}>
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
