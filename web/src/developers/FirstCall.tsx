import { useState } from 'react';
import { useInBrowser } from '../platform/useInBrowser.ts';
import { keepChoice, readChoice } from '../ui/fields/choice.ts';
import { useCopy } from '../ui/useCopy.ts';
import { Code } from './Code.tsx';
import { EXAMPLE_ORIGIN, firstCallIn, SAMPLE_LANGUAGES, type SampleLanguage } from './samples.ts';
import './developers.css';

const KEPT = 'sample-language';
const DEFAULT: SampleLanguage = 'curl';

const readKept = (): SampleLanguage => SAMPLE_LANGUAGES.find((one) => one === readChoice(KEPT)) ?? DEFAULT;

export function FirstCall() {
  const origin = useInBrowser(() => window.location.origin, EXAMPLE_ORIGIN);
  const kept = useInBrowser(readKept, DEFAULT);
  const [chosen, setChosen] = useState<SampleLanguage | null>(null);
  const { message, setMessage, copy } = useCopy();
  const language = chosen ?? kept;
  const choose = (one: SampleLanguage) => {
    setChosen(one);
    setMessage('');
    keepChoice(KEPT, one);
  };
  return (
    <div className="way-on">
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
        <button type="button" className="button quiet" onClick={() => copy(firstCallIn(language, origin))}>
          Copy
        </button>
      </div>
      {SAMPLE_LANGUAGES.map((one) => (
        <Code key={one} name={`First call in ${one}`} code={firstCallIn(one, origin)} isHidden={one !== language} />
      ))}
      <p className="small" role="status">
        {message}
      </p>
    </div>
  );
}
