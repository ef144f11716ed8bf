export function EmptyPlinth({ ball = false }: { ball?: boolean }) {
  return (
    <svg className="plinth-art" viewBox="0 0 340 270" fill="none" aria-hidden="true">
      <path d="M74 132 L100 106 H240 L266 132 Z" fill="var(--sheet)" />
      <path d="M74 132 H266 V270 H74 Z" fill="color-mix(in oklab, var(--sheet) 60%, var(--line))" />
      <ellipse cx="170" cy="119" rx="38" ry="5" fill="color-mix(in oklab, var(--ink) 10%, transparent)" />
      {ball ? (
        <circle cx="170" cy="78" r="40" fill="var(--ready-vivid)" />
      ) : (
        <g stroke="var(--edge)" strokeWidth="2">
          <path d="M118 20 V6 H132 M208 6 H222 V20 M222 82 V96 H208 M132 96 H118 V82" />
        </g>
      )}
    </svg>
  );
}
