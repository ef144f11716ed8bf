import { skipToken, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useRef } from 'react';
import { type PackId, packIds } from '@plinth/contract/pack-names';
import { checkField, checkListSchema, describePack, type PackCheck, packs } from '@plinth/contract/packs';
import { tools } from '@plinth/contract/tools';
import { isSessionOver, toApiError } from '../platform/api.ts';
import { acceptPhotos, readPictureFile, refuseFile } from '../platform/picture-file.ts';
import { useApi } from '../platform/useApi.ts';
import { say } from '../ui/above/toast.tsx';
import { Button } from '../ui/Button.tsx';
import { DropWell } from '../ui/wells/DropWell.tsx';
import { ErrorBox } from '../ui/ErrorBox.tsx';
import { formatCount, plural } from '../ui/format.ts';
import { Icon } from '../ui/icons.tsx';
import { ScreenHead } from '../ui/ScreenHead.tsx';
import { choosePack } from './export-choice.ts';
import { Rules, Says } from './Rules.tsx';
import { findFault, judgePicture, sayReady } from './verdict.ts';
import './packs.css';

type Checked = { picture: File; items: PackCheck[] };
const LAST_CHECK = ['last-check'];

type CheckScreenProps = {
  onMend: (picture: File) => Promise<void>;
  suggest: (onFile: (file: File | Promise<File>) => void) => ReactNode;
};

export function CheckScreen({ onMend, suggest }: CheckScreenProps) {
  const api = useApi();
  const queryClient = useQueryClient();
  // Shown again after returning from another screen, until the session ends.
  const { data: last } = useQuery<Checked>({ queryKey: LAST_CHECK, queryFn: skipToken, gcTime: Infinity });
  const input = useRef<HTMLInputElement>(null);
  const mend = (picture: File, pack: PackId) => {
    choosePack(pack, true);
    void onMend(picture);
  };
  const check = useMutation({
    mutationFn: async (given: File) => {
      const picture = await readPictureFile(given);
      const refusal = refuseFile(picture, checkField);
      if (refusal !== null) throw new Error(refusal);
      const form = new FormData();
      form.set('image', picture);
      const { items } = await api.send('/api/v1/checks', checkListSchema, { method: 'POST', form });
      return { picture, items };
    },
    onError: (cause) => {
      if (!isSessionOver(toApiError(cause))) say.wrong(cause.message, { id: 'check' });
    },
  });
  const take = (picture: File) =>
    check.mutate(picture, { onSuccess: (checked) => queryClient.setQueryData(LAST_CHECK, checked) });
  const data = check.data ?? (check.isIdle ? last : undefined);
  return (
    <>
      <ScreenHead
        title="Check a picture"
        line="See whether marketplaces take it, with what was measured. Nothing is kept and nothing is paid."
      />
      <div className="well-and-answer columns">
        <div className="stack">
          <DropWell
            file={check.isError ? null : (data?.picture ?? check.variables ?? null)}
            isRefused={check.isError}
            thing="a picture"
            another="Check another picture"
            accept={acceptPhotos(checkField.accept)}
            input={input}
            onTake={take}
          />
          {suggest((file) => void Promise.resolve(file).then(take))}
        </div>
        <div className="stack">
          {check.error !== null && <ErrorBox>{check.error.message}</ErrorBox>}
          {/* Only the sum is announced: the answers below it are read at one's own pace. */}
          <div role="status">
            <h2 className="title-small">
              {check.isPending ? 'Measuring…' : data ? sayReady(data.items) : 'What marketplaces ask for'}
            </h2>
          </div>
          {!data && <WhatIsAsked />}
          {data && (
            <>
              <OneForAll checks={data.items} />
              <ul className="surface divided">
                {inOrder(data.items).map((one) => (
                  <Answer
                    key={one.pack}
                    check={one}
                    onMend={() => mend(data.picture, one.pack)}
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

function WhatIsAsked() {
  return (
    <ul className="surface divided">
      {packIds.map((id) => {
        const { name, rules } = describePack(id);
        const musts = rules.filter(({ level }) => level === 'must');
        return (
          <li key={id}>
            <details className="check-words">
              <summary>
                <b className="one-line">{name}</b>
                <Icon name="down" />
                <span className="caption cut-off">
                  {(musts.length > 0 ? musts : rules).map(({ says }) => says).join('. ')}
                </span>
              </summary>
              <Rules rules={rules} />
            </details>
          </li>
        );
      })}
    </ul>
  );
}

const inOrder = (checks: readonly PackCheck[]) => checks.toSorted((a, b) => Number(a.ready) - Number(b.ready));

function OneForAll({ checks }: { checks: readonly PackCheck[] }) {
  const mended = checks.filter((one) => judgePicture(one).kind === 'mend').length;
  if (mended < 2) return null;
  return (
    <p className="small">
      Removing the background once, for {plural(tools.remover.cost, 'credit')}, serves all {formatCount(mended)} that
      need it.
    </p>
  );
}

function Answer({ check, onMend, onOther }: { check: PackCheck; onMend: () => void; onOther: () => void }) {
  const { name } = packs[check.pack];
  const verdict = judgePicture(check);
  const { kind } = verdict;
  const fault = findFault(check);
  const another = check.refusal === null ? 'Choose another picture' : 'Choose a larger picture';
  const way = kind === 'mend' ? 'Remove the background' : another;
  return (
    <li className="check-answer">
      <details className="check-words">
        <summary>
          <b className="one-line">{name}</b>
          <Icon name="down" />
          <Says verdict={verdict} />
          {fault !== undefined && <span className="caption fault">{fault}</span>}
        </summary>
        <Rules rules={check.rules} />
      </details>
      {kind !== 'ready' && (
        <Button aria-label={`${way} for ${name}`} onClick={kind === 'mend' ? onMend : onOther}>
          {way}
        </Button>
      )}
    </li>
  );
}
