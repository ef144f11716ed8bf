import { sentences } from '@plinth/contract/errors';
import { useState } from 'react';
import { type PackId, packIds } from '@plinth/contract/pack-names';
import { type LookSettings, lookSettingsSchema, packshotUrl, standardLook } from '@plinth/contract/looks';
import { checkListSchema, type PackCheck, packUrl } from '@plinth/contract/packs';
import type { ToolId } from '@plinth/contract/tools';
import { LookEditor } from '../looks/LookEditor.tsx';
import { LookSelect } from '../looks/LookSelect.tsx';
import { useLooks } from '../looks/useLooks.ts';
import { downloadMedia } from '../media/download.ts';
import { toApiError, type Api } from '../platform/api.ts';
import { useAnswer } from '../platform/useAnswer.ts';
import { useApi } from '../platform/useApi.ts';
import { Button } from '../ui/Button.tsx';
import { DialogFrame } from '../ui/above/DialogFrame.tsx';
import { ErrorBox } from '../ui/ErrorBox.tsx';
import { plural } from '../ui/format.ts';
import { Icon } from '../ui/icons.tsx';
import { saveAloud } from '../ui/above/save-aloud.ts';
import { chooseForExport, choosePack, useExportChoice } from './export-choice.ts';
import { PackCard } from './PackCard.tsx';
import './packs.css';

type Exported = { mediaId: string; toolId: ToolId };

export function ExportDialog({ onClose, ...exported }: Exported & { onClose: () => void }) {
  return (
    <DialogFrame
      className="export"
      title="Export for marketplaces"
      line="Each file has the size and background its shop asks for. Free."
      onClose={onClose}
    >
      <Packs {...exported} onLeave={onClose} />
    </DialogFrame>
  );
}

function Packs({ mediaId, toolId, onLeave }: Exported & { onLeave: () => void }) {
  const api = useApi();
  const { chosen } = useExportChoice();
  const { packs } = chosen;
  // Fixed, so that choosing a card does not move it.
  const [chosenBefore] = useState(packs);
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const path = `/api/v1/media/${mediaId}/checks`;
  const { data: checks, error } = useAnswer(['packs', mediaId], path, checkListSchema, {
    select: ({ items }) => items,
    staleTime: Infinity,
  });
  const canMake = (id: PackId) => checks?.some(({ pack, refusal }) => pack === id && refusal === null) === true;
  const possible = packs.filter(canMake);
  const isCutout = canMake('transparent-png');
  const lookId = isCutout ? chosen.lookId : null;
  const look = useLooks()?.find(({ id }) => id === lookId);
  const save = async (ids: readonly PackId[]) => {
    setBusy(true);
    setFault(null);
    setFault(await exportPacks(api, mediaId, ids, lookId));
    setBusy(false);
  };
  return (
    <>
      <div className="export-room">
        {error !== null && <ErrorBox>{error.message}</ErrorBox>}
        {isCutout && <Packshot mediaId={mediaId} lookId={lookId} onChoose={(id) => chooseForExport({ lookId: id })} />}
        {checks === undefined && error === null && <Measuring />}
        {checks !== undefined && (
          <ul className="pack-cards">
            {inOrder(checks, chosenBefore).map((check) => (
              <PackCard
                key={check.pack}
                {...{ check, mediaId, toolId, isCutout, lookId, onLeave }}
                hasShadow={look !== undefined && look.shadow !== 'none'}
                isChosen={packs.includes(check.pack)}
                onChoose={(isChosen) => {
                  setFault(null);
                  choosePack(check.pack, isChosen);
                }}
                onSave={() => void save([check.pack])}
              />
            ))}
          </ul>
        )}
      </div>
      <div className="dialog-acts">
        {fault !== null && <ErrorBox>{fault}</ErrorBox>}
        <Button
          look="primary"
          icon={<Icon name="download" />}
          busy={isBusy && 'Exporting…'}
          disabled={possible.length === 0}
          onClick={() => void save(possible)}
        >
          {possible.length === 0 ? 'Choose marketplaces' : `Export ${plural(possible.length, 'file')}`}
        </Button>
      </div>
    </>
  );
}

/** As many cards as there will be. They have no names, because their order is not known yet. */
function Measuring() {
  return (
    <>
      <p className="small pack-wait" role="status">
        Measuring…
      </p>
      <ul className="pack-cards" aria-hidden="true">
        {packIds.map((id) => (
          <li key={id} className="skeleton" />
        ))}
      </ul>
    </>
  );
}

type PackshotProps = { mediaId: string; lookId: string | null; onChoose: (lookId: string | null) => void };

export function Packshot({ mediaId, lookId, onChoose }: PackshotProps) {
  const api = useApi();
  const [isOpen, setOpen] = useState(false);
  const [unsaved, setUnsaved] = useState<LookSettings | null>(null);
  const chosen = useLooks()?.find(({ id }) => id === lookId);
  const settings = unsaved ?? lookSettingsSchema.parse(chosen ?? standardLook);
  const choose = (id: string | null) => {
    setUnsaved(null);
    onChoose(id);
  };
  const toggle = () => {
    setUnsaved(null);
    setOpen(!isOpen);
  };
  const download = () => {
    void downloadMedia(api, { downloadUrl: packshotUrl(mediaId, settings), originalFilename: 'packshot' });
  };
  return (
    <section className="packshot stack" aria-label="Look">
      {isOpen ? (
        <LookEditor lookId={lookId} mediaId={mediaId} onChoose={choose} onChange={setUnsaved} />
      ) : (
        <LookSelect value={lookId} onChange={choose} />
      )}
      <div className="cluster">
        <Button aria-expanded={isOpen} icon={<Icon name="brush" />} onClick={toggle}>
          {isOpen ? 'Close looks' : 'Shadow, margins, canvas'}
        </Button>
        <Button icon={<Icon name="download" />} onClick={download}>
          Packshot
        </Button>
      </div>
    </section>
  );
}

/** Sorts chosen packs first, then other possible ones, then impossible ones. */
function inOrder(checks: readonly PackCheck[], chosen: readonly PackId[]): PackCheck[] {
  const rank = ({ pack, refusal }: PackCheck) => (refusal !== null ? 2 : chosen.includes(pack) ? 0 : 1);
  return checks.toSorted((a, b) => rank(a) - rank(b));
}

/** @returns the reason of a failure; null if they are saved */
async function exportPacks(api: Api, mediaId: string, ids: readonly PackId[], lookId: string | null) {
  const make = async () => {
    const files: File[] = [];
    for (const id of ids) files.push(await api.file(packUrl(mediaId, id, lookId)));
    const [first, ...others] = files;
    if (first !== undefined && others.length === 0) return first;
    return zip(files, `${first?.name.split(`-${ids[0]}.`)[0] ?? ''}-export.zip`);
  };
  const explain = (cause: unknown) => {
    const { code, message } = toApiError(cause);
    return code === 'unexpected' ? sentences.downloadMediaFailed : message;
  };
  return saveAloud(`export-${mediaId}`, make, explain);
}

/** Pictures are compressed already, so they are stored uncompressed. */
async function zip(files: readonly File[], name: string): Promise<File> {
  const { zipSync } = await import('fflate');
  const entries = await Promise.all(
    files.map(async (file) => [file.name, new Uint8Array(await file.arrayBuffer())] as const),
  );
  return new File([zipSync(Object.fromEntries(entries), { level: 0 })], name, { type: 'application/zip' });
}
