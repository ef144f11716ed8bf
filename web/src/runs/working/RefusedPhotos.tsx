import { Button } from '../../ui/Button.tsx';
import { plural } from '../../ui/format.ts';
import { FileButton } from '../upload/FileButton.tsx';
import { Thumb } from '../upload/Thumb.tsx';
import type { RunUpload } from '../upload/uploads.ts';
import { useUploads } from '../upload/useUploads.ts';

/** Photos that the server did not take. Nothing was paid for them. */
export function RefusedPhotos({ runId, upload }: { runId: string; upload: RunUpload }) {
  const { uploads } = useUploads();
  const refused = upload.photos.filter(({ state }) => state === 'refused');
  if (refused.length === 0) return null;
  return (
    <section className="run-failed" aria-labelledby="run-refused">
      <div className="run-failed-head">
        <h2 className="t2 num" id="run-refused">
          {plural(refused.length, 'photo')} not taken
        </h2>
        <Button
          onClick={() =>
            void uploads.leaveOut(
              runId,
              refused.map(({ id }) => id),
            )
          }
        >
          Go on without {refused.length === 1 ? 'it' : 'them'}
        </Button>
      </div>
      <ul className="failed-rows">
        {refused.map((photo) => (
          <li key={photo.id} className="failed-row">
            <Thumb photoId={photo.id} />
            <div className="photo-name">
              <b>{photo.name}</b>
              {photo.sku !== '' && <span className="tag">{photo.sku}</span>}
              <span className="small wrong">{photo.refusal}</span>
            </div>
            <div className="failed-acts">
              <FileButton
                label="Other photo"
                name={`Other photo for ${photo.name}`}
                onFile={(file) => void uploads.exchange(photo, file)}
              />
              <Button
                look="bare"
                aria-label={`Leave out ${photo.name}`}
                onClick={() => void uploads.leaveOut(runId, [photo.id])}
              >
                Leave out
              </Button>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
