import { Button } from '../../ui/Button.tsx';
import { plural } from '../../ui/format.ts';
import { FileButton } from '../upload/FileButton.tsx';
import { Thumb } from '../upload/Thumb.tsx';
import { usePhotos, type Photo } from '../photos.ts';
import { useUploads } from '../upload/useUploads.ts';
import { Problems } from './Problems.tsx';

export function RefusedPhotos({ photos }: { photos: readonly Photo[] }) {
  const uploads = useUploads();
  const files = usePhotos((known) => known.files);
  const refused = photos.filter(({ state }) => state === 'refused');
  if (refused.length === 0) return null;
  const leaveOut = (some: readonly Photo[]) => uploads.leaveOut(some.map(({ id }) => id));
  return (
    <Problems
      title={`${plural(refused.length, 'photo')} not taken`}
      right={<Button onClick={() => leaveOut(refused)}>Go on without {refused.length === 1 ? 'it' : 'them'}</Button>}
      items={refused}
      noun="photo"
      say={({ refusal }) => refusal ?? ''}
      thumb={({ id }) => <Thumb blob={files[id]} />}
      acts={(photo) => (
        <>
          {photo.isUnanswered === true && (
            <Button aria-label={`Try ${photo.name} again`} onClick={() => uploads.again(photo)}>
              Try again
            </Button>
          )}
          <FileButton
            label="Other photo"
            name={`Other photo for ${photo.name}`}
            onFile={(file) => uploads.exchange(photo, file)}
          />
          <Button look="borderless" aria-label={`Leave out ${photo.name}`} onClick={() => leaveOut([photo])}>
            Leave out
          </Button>
        </>
      )}
    />
  );
}
