import { BlobImage } from '../../ui/BlobImage.tsx';
import { Icon } from '../../ui/icons.tsx';
import { useKeptFile } from './useKeptPhotos.ts';

const SIDE_PX = 44;

type ThumbProps = {
  photoId: string | undefined;
  file?: Blob | undefined;
};

export function Thumb({ photoId, file }: ThumbProps) {
  const kept = useKeptFile(file === undefined ? photoId : undefined);
  const blob = file ?? kept;
  if (blob === undefined)
    return (
      <span className="thumb">
        <Icon name="picture" />
      </span>
    );
  return <BlobImage className="thumb" blob={blob} alt="" width={SIDE_PX} height={SIDE_PX} decoding="async" />;
}
