import { faq } from './content.ts';
import { TwoLines } from './TwoLines.tsx';

/** Six questions; the browser itself keeps one of them open at a time. */
export function Faq() {
  return (
    <section id="faq" className="page sec faq" aria-labelledby="faq-title">
      <h2 className="d2" id="faq-title">
        <TwoLines lines={faq.title} />
      </h2>
      <div className="acc">
        {faq.questions.map(({ question, answer }) => (
          <details key={question} name="faq" open={question === faq.open}>
            <summary>
              <h3 className="t2">{question}</h3>
              <svg className="plus" width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
                <path d="M10 4v12M4 10h12" />
              </svg>
            </summary>
            <p>{answer}</p>
          </details>
        ))}
      </div>
    </section>
  );
}
