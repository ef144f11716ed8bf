export function watchClips(): void {
  for (const clip of document.querySelectorAll<HTMLVideoElement>('video[data-clip]')) watchClip(clip);
}

const NEAR = '200px';

function watchClip(clip: HTMLVideoElement): void {
  const pressed = clip.nextElementSibling;
  let isWanted = !window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  let isNear = false;
  const follow = () => {
    pressed?.setAttribute('aria-pressed', String(isWanted));
    if (!isWanted || !isNear) return clip.pause();
    clip.muted = true;
    clip.src ||= clip.dataset.clip ?? '';
    // If the clip fails, its poster stays.
    clip.play().catch(() => undefined);
  };
  pressed?.addEventListener('click', () => {
    isWanted = !isWanted;
    follow();
  });
  const watching = new IntersectionObserver(
    ([entry]) => {
      isNear = entry?.isIntersecting === true;
      follow();
    },
    { rootMargin: NEAR },
  );
  watching.observe(clip.parentElement ?? clip);
}
