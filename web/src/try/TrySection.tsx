import { TryHere } from './TryHere.tsx';
import { DOWNLOAD_MB } from './worker-contract.ts';

// `public/photos.ts` handles these buttons, before and after this island's script has loaded.
const SAMPLES = [
  { name: 'dropper', says: 'A brown bottle with a dropper' },
  { name: 'teddy', says: 'A teddy bear on a sofa' },
  { name: 'candle', says: 'A white candle on a white sheet' },
];

export function TrySection() {
  return (
    <section id="try" className="page-width section try-out columns" aria-labelledby="try-title">
      <div>
        <h2 className="display-small" id="try-title">
          Try it here
        </h2>
        <p className="lead-text way-on">Your photo is cut out in your browser. Nothing is uploaded.</p>
        <p className="small way-on">No account. The first photo fetches about {DOWNLOAD_MB} MB, once.</p>
        <div className="try-samples stack" role="group" aria-label="Photos to try it on">
          <p className="caption">No photo at hand? Take one of ours.</p>
          {SAMPLES.map(({ name, says }) => (
            <button key={name} type="button" className="print" data-sample={`/samples/${name}.jpg`}>
              <img src={`/samples/${name}-thumb.webp`} width={132} height={132} loading="lazy" alt={says} />
            </button>
          ))}
        </div>
      </div>
      <div id="try-here" data-island="photo">
        <TryHere />
      </div>
    </section>
  );
}
