import { useState } from 'react';
import { Button } from '../ui/Button.tsx';
import { listingSentences } from './says.ts';

export function ListingSentences() {
  const [said, setSaid] = useState('');
  const copy = (shop: string, text: string) =>
    navigator.clipboard.writeText(text).then(
      () => setSaid(`The sentence for ${shop} is copied.`),
      () => setSaid('This page may not copy. Select the text instead.'),
    );
  return (
    <section className="stack new-part verify-sentences" aria-labelledby="verify-sentences">
      <h2 className="title-small" id="verify-sentences">
        Say it in your listing, too
      </h2>
      <p className="small">Few buyers look into a file. Change what is not true of your picture.</p>
      <ul>
        {listingSentences.map(({ shop, where, text }) => (
          <li key={shop} className="stack">
            <p className="small">
              <b>{shop}</b>, {where}
            </p>
            <blockquote>{text}</blockquote>
            <Button aria-label={`Copy the sentence for ${shop}`} onClick={() => void copy(shop, text)}>
              Copy
            </Button>
          </li>
        ))}
      </ul>
      <p className="small" role="status">
        {said}
      </p>
    </section>
  );
}
