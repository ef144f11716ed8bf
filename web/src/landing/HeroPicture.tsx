import { Compare } from '../ui/Compare.tsx';
import after480 from './pictures/mug-after-480.avif';
import after480Webp from './pictures/mug-after-480.webp';
import after768 from './pictures/mug-after-768.avif';
import after768Webp from './pictures/mug-after-768.webp';
import after1200 from './pictures/mug-after-1200.avif';
import after1200Webp from './pictures/mug-after-1200.webp';
import before480 from './pictures/mug-before-480.avif';
import before480Webp from './pictures/mug-before-480.webp';
import before768 from './pictures/mug-before-768.avif';
import before768Webp from './pictures/mug-before-768.webp';
import before1200 from './pictures/mug-before-1200.avif';
import before1200Webp from './pictures/mug-before-1200.webp';

type Sources = { avif: string; webp: string; fallback: string };
const before: Sources = {
  avif: `${before480} 480w, ${before768} 768w, ${before1200} 1200w`,
  webp: `${before480Webp} 480w, ${before768Webp} 768w, ${before1200Webp} 1200w`,
  fallback: before1200Webp,
};
const after: Sources = {
  avif: `${after480} 480w, ${after768} 768w, ${after1200} 1200w`,
  webp: `${after480Webp} 480w, ${after768Webp} 768w, ${after1200Webp} 1200w`,
  fallback: after1200Webp,
};

/** The same object before and after, at the same place, with the seam through it. */
export function HeroPicture() {
  return (
    <Compare
      before={<Layer sources={before} className="layer before" alt="" />}
      after={
        <Layer sources={after} className="layer after" alt="The same red mug on a wooden table in morning light" />
      }
      labels={['Before', 'After']}
      start={47}
    />
  );
}

function Layer({ sources, className, alt }: { sources: Sources; className: string; alt: string }) {
  const sizes = '(min-width: 1024px) 58vw, 100vw';
  return (
    <picture>
      <source type="image/avif" srcSet={sources.avif} sizes={sizes} />
      <img
        className={className}
        src={sources.fallback}
        srcSet={sources.webp}
        sizes={sizes}
        width={1200}
        height={1200}
        alt={alt}
        fetchPriority="high"
      />
    </picture>
  );
}
