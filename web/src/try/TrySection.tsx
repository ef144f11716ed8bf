import { TRY_HERE } from './element.ts';
import { TryHere } from './TryHere.tsx';
import { FETCHED_MB } from './weights.ts';

/** The part of the start page on which a photo can be tried. Without a script it does nothing, so it is not there. */
export function TrySection() {
  return (
    <section className="page sec try" aria-labelledby="try-title">
      <div className="try-says">
        <h2 className="d2" id="try-title">
          Try it here
        </h2>
        <p className="lead">Drop a photo: cut out in your browser, nothing is uploaded.</p>
        <p className="small">No account. The first photo fetches about {FETCHED_MB} MB, once.</p>
      </div>
      <div id={TRY_HERE}>
        <TryHere />
      </div>
    </section>
  );
}
