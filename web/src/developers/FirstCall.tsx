import { useState } from 'react';
import { firstCalls, SAMPLE_LANGUAGES, type SampleLanguage } from '@plinth/contract/api/samples';
import { useInBrowser } from '../platform/useInBrowser.ts';
import { keepChoice, readChoice } from '../ui/fields/choice.ts';
import { useCopy } from '../ui/useCopy.ts';
import { Code } from './Code.tsx';
import './developers.css';

const KEPT = 'sample-language';

const readKept = (): SampleLanguage => SAMPLE_LANGUAGES.find((one) => one === readChoice(KEPT)) ?? SAMPLE_LANGUAGES[0];

export function FirstCall() {
  const origin = useInBrowser(() => window.location.origin, 'https://plinth.example');
  const kept = useInBrowser(readKept, SAMPLE_LANGUAGES[0]);
  const [chosen, setChosen] = useState<SampleLanguage | null>(null);
  const { message, setMessage, copy } = useCopy();
  const language = chosen ?? kept;
  const choose = (one: SampleLanguage) => {
    setChosen(one);
    setMessage('');
    keepChoice(KEPT, one);
  };
  return (
    <div className="sample">
      <div className="spread">
        <fieldset className="sample-choice in-line">
          <legend className="sr-only">Language</legend>
          {SAMPLE_LANGUAGES.map((one) => (
            <label key={one}>
              <input
                type="radio"
                className="laid-over"
                name="language"
                value={one}
                checked={one === language}
                onChange={() => choose(one)}
              />
              <span>{one}</span>
            </label>
          ))}
        </fieldset>
        <button type="button" className="button quiet" onClick={() => copy(firstCalls[language](origin))}>
          Copy
        </button>
      </div>
      {SAMPLE_LANGUAGES.map((one) => (
        <Code key={one} name={`First call in ${one}`} code={firstCalls[one](origin)} isHidden={one !== language} />
      ))}
      <p className="small" role="status">
        {message}
      </p>
    </div>
  );
}
