import { useState } from 'react';
import { BlobImage } from '../../ui/BlobImage.tsx';
import { Icon } from '../../ui/icons.tsx';

const SIDE_PX = 44;

export function Thumb({ blob }: { blob: Blob | undefined }) {
  const [broken, setBroken] = useState<Blob>();
  if (blob === undefined || blob === broken)
    return (
      <span className="thumb">
        <Icon name="picture" />
      </span>
    );
  return (
    <BlobImage
      className="thumb"
      blob={blob}
      alt=""
      width={SIDE_PX}
      height={SIDE_PX}
      decoding="async"
      onError={() => setBroken(blob)}
    />
  );
}
