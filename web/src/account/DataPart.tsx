import { deletionReceiptSchema } from '@plinth/contract/media';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useCredits } from '../credits/useCredits.ts';
import { MEDIA_KEY } from '../media/media-queries.ts';
import { usePages } from '../platform/pages.ts';
import { Button } from '../ui/Button.tsx';
import { PagedTable } from '../ui/DataTable.tsx';
import { buttonClass } from '../ui/button-class.ts';
import { formatShortDateTime, plural } from '../ui/format.ts';
import { Icon } from '../ui/icons.tsx';
import { SaveLink } from '../ui/SaveLink.tsx';
import { DeletionDialog } from './DeletionDialog.tsx';
import { Panel } from './Panel.tsx';

export function DataPart() {
  // Return from the sign-in that confirms the deletion.
  const isAsked = useSearch({ strict: false, select: (search) => search.delete }) !== undefined;
  const [isOpen, setIsOpen] = useState(isAsked);
  return (
    <>
      <Panel title="Download your data">
        <p className="small">
          One ZIP with everything this site keeps about you: your account and sign-ins, credits, purchases, generations
          with their descriptions, and the photos and results that are still there.
        </p>
        <SaveLink className={buttonClass({ atStart: true })} href="/api/v1/account/export">
          Download your data
        </SaveLink>
      </Panel>
      <Panel title="Deleted files">
        <p className="small">
          What was deleted, when and why. The SHA-256 tells which file it was: a result you downloaded has the same.
        </p>
        <DeletedFiles />
      </Panel>
      <Panel title="Delete account">
        <DeletionConsequences />
        <Button atStart icon={<Icon name="trash" />} onClick={() => setIsOpen(true)}>
          Delete account…
        </Button>
      </Panel>
      <DeletionDialog isOpen={isOpen} onClose={() => setIsOpen(false)} />
    </>
  );
}

function DeletionConsequences() {
  const credits = useCredits() ?? 0;
  return (
    <>
      <p className="small">
        <b>What goes, at once and for good:</b> your photos, descriptions and results, your e-mail address, your
        password or the link to Google, and every session.
        {credits > 0 && ` You lose ${plural(credits, 'credit')}.`} What is being made is canceled.
      </p>
      <p className="small">
        <b>What we must keep by law:</b> your purchases and their receipts, which name your e-mail address, and the
        entries that say which credits were spent when. No photo, no description, no result.{' '}
        <a className="textlink" href="/privacy#storage">
          Privacy Policy
        </a>
      </p>
    </>
  );
}

const PATH = '/api/v1/media/receipts?limit=5';
const WHAT = { upload: 'Photo', result: 'Result' } as const;
const WHY = { expired: 'time\u00a0was\u00a0up', 'by you': 'by\u00a0you' } as const;

export function DeletedFiles() {
  return (
    <PagedTable
      list={usePages([...MEDIA_KEY, 'receipts'], PATH, deletionReceiptSchema)}
      label="Deleted files"
      failed="Failed to load your deleted files"
      none="Nothing yet. Every file that is deleted is listed here."
      columns={[
        { head: 'What', cell: ({ kind }) => WHAT[kind] },
        { head: 'Made', isOptional: true, cell: ({ createdAt }) => formatShortDateTime(createdAt) },
        { head: 'Deleted', cell: ({ deletedAt, cause }) => `${formatShortDateTime(deletedAt)}, ${WHY[cause]}` },
        { head: 'SHA-256', cell: ({ sha256 }) => <code className="digest cut-off at-end">{sha256}</code> },
      ]}
    />
  );
}
