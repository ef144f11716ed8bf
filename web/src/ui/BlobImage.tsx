import { useCallback, type ComponentProps } from 'react';

export function BlobImage({ blob, alt, ...rest }: { blob: Blob } & ComponentProps<'img'>) {
  const show = useCallback(
    (image: HTMLImageElement | null) => {
      if (image === null) return undefined;
      const url = URL.createObjectURL(blob);
      image.src = url;
      return () => URL.revokeObjectURL(url);
    },
    [blob],
  );
  return <img {...rest} alt={alt} ref={show} />;
}
