import { useMutation } from '@tanstack/react-query';
import { type RefObject, useRef, useState } from 'react';
import { IMAGE_MAX_BYTES } from '@plinth/contract/limits';
import { checkField, checkListSchema, type PackCheck, packs } from '@plinth/contract/packs';
import { readPictureFile } from '../platform/picture-file.ts';
import { useApi } from '../platform/useApi.ts';
import { BlobImage } from '../ui/BlobImage.tsx';
import { Button } from '../ui/Button.tsx';
import { ErrorBox } from '../ui/ErrorBox.tsx';
import { formatCount } from '../ui/format.ts';
import { Icon } from '../ui/icons.tsx';
import { ScreenHead } from '../ui/ScreenHead.tsx';
import { usePageDrop } from '../ui/usePageDrop.ts';
import { Rules } from './Rules.tsx';
import { findFault, judgePicture, sayReady } from './verdict.ts';
import './packs.css';

/** Any picture against every marketplace's rules. `onMend` takes it to where its background is removed. */
export function CheckScreen({ onMend }: { onMend: (picture: File) => Promise<void> }) {
  const api = useApi();
  const [picture, setPicture] = useState<File | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const check = useMutation({
    mutationFn: async (file: File) => {
      const form = new FormData();
      form.set('image', file);
      return (await api.send('/api/v1/checks', checkListSchema, { method: 'POST', form })).items;
    },
  });
  const take = async (given: File | undefined) => {
    if (given === undefined) return;
    const file = await readPictureFile(given, IMAGE_MAX_BYTES);
    setPicture(file);
    check.mutate(file);
  };
  usePageDrop(({ files }) => void take(files[0]));
  return (
    <>
      <ScreenHead
        title="Check a picture"
        line="See whether marketplaces take it, with what was measured. Nothing is kept and nothing is paid."
      />
      <div className="check">
        <DropArea picture={check.isError ? null : picture} input={input} onTake={(file) => void take(file)} />
        <div className="check-answers" aria-live="polite" aria-busy={check.isPending}>
          {check.status === 'idle' && <WhatIsChecked />}
          {check.isPending && <p className="small">Measuring…</p>}
          {check.error !== null && <ErrorBox>{check.error.message}</ErrorBox>}
          {check.data && picture && (
            <>
              <h2 className="t2">{sayReady(check.data)}</h2>
              <ul>
                {inOrder(check.data).map((one) => (
                  <Answer
                    key={one.pack}
                    check={one}
                    onMend={() => void onMend(picture)}
                    onOther={() => input.current?.click()}
                  />
                ))}
              </ul>
            </>
          )}
        </div>
      </div>
    </>
  );
}

/** Until there is a picture: what will be measured, and for whom. */
function WhatIsChecked() {
  return (
    <div className="check-says">
      <h2 className="t2">What is measured</h2>
      <ul className="small">
        <li>Whether the background is white, or clear, where that is asked for</li>
        <li>How much of the frame your product fills, and whether it is cut off</li>
        <li>Pixels, shape, format and weight of the file</li>
      </ul>
      <p className="small">
        Against {formatCount(Object.keys(packs).length)} sets of rules, among them those of Amazon, eBay, Etsy and
        Zalando. What fails comes with the way to mend it.
      </p>
    </div>
  );
}

/** What is to be mended comes first. */
const inOrder = (checks: readonly PackCheck[]) => [
  ...checks.filter(({ ready }) => !ready),
  ...checks.filter(({ ready }) => ready),
];

type DropAreaProps = {
  picture: File | null;
  input: RefObject<HTMLInputElement | null>;
  onTake: (file: File | undefined) => void;
};

function DropArea({ picture, input, onTake }: DropAreaProps) {
  return (
    <label className={picture === null ? 'frame check-drop' : 'frame ready check-drop'}>
      {picture !== null && <BlobImage blob={picture} alt="Your picture" />}
      {picture === null ? (
        <>
          <Icon name="upload" size={28} />
          <b className="by-mouse">
            Drop a picture here or <u>choose a file</u>
          </b>
          <b className="by-touch">
            <u>Choose a picture</u>
          </b>
        </>
      ) : (
        <span className="tag">
          <Icon name="upload" />
          Check another picture
        </span>
      )}
      <input
        ref={input}
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

type AnswerProps = { check: PackCheck; onMend: () => void; onOther: () => void };

function Answer({ check, onMend, onOther }: AnswerProps) {
  const { name } = packs[check.pack];
  const { kind, says } = judgePicture(check);
  const fault = findFault(check);
  return (
    <li className="check-answer">
      <details>
        <summary>
          <b>{name}</b>
          <span className={`small pack-says ${kind}`}>
            <Icon name={kind === 'ready' ? 'check' : 'warning'} />
            {says}
          </span>
          <Icon name="down" />
          {fault !== undefined && <span className="tag fault">{fault}</span>}
        </summary>
        <Rules rules={check.rules} />
      </details>
      {kind !== 'ready' && (
        <Button onClick={kind === 'mend' ? onMend : onOther}>
          {kind === 'mend' ? 'Make it ready' : 'Choose a larger picture'}
          <span className="sr-only"> for {name}</span>
        </Button>
      )}
    </li>
  );
}
