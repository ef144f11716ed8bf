type TrackProps = {
  label: string;
  /** From 0 to 1; null while unknown. */
  share: number | null;
};

/** A line that fills, or slides while nobody knows how far the work is. */
export function Track({ label, share }: TrackProps) {
  return (
    <div className={share === null ? 'track meter' : 'meter'}>
      <progress className="sr-only" aria-label={label} value={share ?? undefined} />
      <i style={share === null ? undefined : { width: `${100 * share}%` }} />
    </div>
  );
}
