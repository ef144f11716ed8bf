export function Mark({ size = 24 }: { size?: number }) {
  return (
    <svg width={size} height={(size * 26) / 24} viewBox="0 0 24 26" aria-hidden="true">
      <circle cx="12.5" cy="8.5" r="8.5" fill="var(--ready-vivid)" />
      <path fill="currentColor" d="M4 8.5h6.5V26H4z" />
    </svg>
  );
}

export function Logo() {
  return (
    <a className="wordmark" href="/" aria-label="Plinth, home">
      <Mark />
      <span aria-hidden="true">Plinth</span>
    </a>
  );
}
