import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { checkField, checkListSchema, type PackCheck, packs } from '@plinth/contract/packs';
import { useApi } from '../platform/useApi.ts';
import { BlobImage } from '../ui/BlobImage.tsx';
import { Button } from '../ui/Button.tsx';
import { ErrorBox } from '../ui/ErrorBox.tsx';
import { Icon } from '../ui/icons.tsx';
import { ScreenHead } from '../ui/ScreenHead.tsx';
import { Rules } from './Rules.tsx';
import { judgePicture } from './verdict.ts';
import './packs.css';

/** Any picture against every marketplace's rules. `onMend` takes it to where its background is removed. */
export function CheckScreen({ onMend }: { onMend: (picture: File) => Promise<void> }) {
  const api = useApi();
  const [picture, setPicture] = useState<File | null>(null);
  const check = useMutation({
    mutationFn: async (file: File) => {
      const form = new FormData();
      form.set('image', file);
      return (await api.send('/api/v1/checks', checkListSchema, { method: 'POST', form })).items;
    },
  });
  const take = (file: File | undefined) => {
    if (file === undefined) return;
    setPicture(file);
    check.mutate(file);
  };
  const isMendable = check.data?.some(({ canFix, refusal }) => canFix && refusal === 'cutout_needed') === true;
  return (
    <>
      <ScreenHead
        title="Check a picture"
        line="See whether marketplaces take it, with what was measured. Nothing is kept and nothing is paid."
      />
      <div className="check">
        <div className="check-picture">
          <DropArea picture={picture} onTake={take} />
          {isMendable && picture !== null && (
            <Button look="primary" wide icon={<Icon name="scissors" />} onClick={() => void onMend(picture)}>
              Remove the background
            </Button>
          )}
        </div>
        <div className="check-answers" aria-live="polite" aria-busy={check.isPending}>
          {check.isPending && <p className="small">Measuring…</p>}
          {check.error !== null && <ErrorBox>{check.error.message}</ErrorBox>}
          {check.data?.map((one) => (
            <Answer key={one.pack} check={one} />
          ))}
        </div>
      </div>
    </>
  );
}

type DropAreaProps = { picture: File | null; onTake: (file: File | undefined) => void };

function DropArea({ picture, onTake }: DropAreaProps) {
  return (
    <label
      className="check-drop"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        onTake(event.dataTransfer.files[0]);
      }}
    >
      {picture !== null && <BlobImage blob={picture} alt="Your picture" />}
      <span className={picture === null ? 'small' : 'tag'}>
        <Icon name="upload" />
        {picture === null ? 'Drop a picture here, or choose one' : 'Check another picture'}
      </span>
      <input
        type="file"
        className="sr-only"
        accept={checkField.accept.join(',')}
        onChange={(event) => {
          onTake(event.currentTarget.files?.[0]);
          event.currentTarget.value = '';
        }}
      />
    </label>
  );
}

function Answer({ check }: { check: PackCheck }) {
  const { kind, says } = judgePicture(check);
  return (
    <details className="check-answer">
      <summary>
        <b>{packs[check.pack].name}</b>
        <span className={`small pack-says ${kind}`}>
          <Icon name={kind === 'ready' ? 'check' : 'warning'} />
          {says}
        </span>
      </summary>
      <Rules rules={check.rules} />
    </details>
  );
}
