type PictureProps = {
  /** Addresses by file name, as `import.meta.glob` lists them. */
  files: Record<string, string>;
  /** Name of the cut in `scripts/pictures.mjs`. */
  name: string;
  /** Width and height in pixels; their ratio reserves the space until the picture is loaded. */
  width: number;
  height: number;
  sizes: string;
  alt: string;
  className?: string;
  loading?: 'eager' | 'lazy';
  /** `high` for the main picture, `low` for visible pictures that may load after it. */
  urgency?: 'high' | 'low';
};

export function Picture({ files, name, sizes, urgency, loading = 'lazy', ...rest }: PictureProps) {
  const webp = listSources(files, name, 'webp');
  return (
    <picture>
      <source type="image/avif" srcSet={toSrcSet(listSources(files, name, 'avif'))} sizes={sizes} />
      <img
        {...rest}
        src={webp.at(-1)?.url}
        srcSet={toSrcSet(webp)}
        sizes={sizes}
        loading={urgency === undefined ? loading : 'eager'}
        decoding="async"
        fetchPriority={urgency}
      />
    </picture>
  );
}

type Source = { url: string; width: number };

/** Finds the files `<name>-<width>.<format>`, narrowest first. */
function listSources(files: Record<string, string>, name: string, format: string): Source[] {
  return Object.entries(files)
    .flatMap(([path, url]) => {
      const [, found, width, ending] = /([^/]+)-(\d+)\.(\w+)$/.exec(path) ?? [];
      return found === name && ending === format ? [{ url, width: Number(width) }] : [];
    })
    .sort((one, other) => one.width - other.width);
}

const toSrcSet = (sources: Source[]) => sources.map(({ url, width }) => `${url} ${width}w`).join(', ');
