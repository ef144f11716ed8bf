import { useState } from 'react';
import type { Marks } from '@plinth/contract/marks';
import type { RunItem } from '@plinth/contract/runs';
import type { Step } from '../../marks/marks.ts';
import { Button } from '../../ui/Button.tsx';
import { plural } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { FileButton } from '../upload/FileButton.tsx';
import { useKeptFile } from '../upload/useKeptPhotos.ts';
import { MarkPhoto } from './MarkPhoto.tsx';

const NOTHING: readonly Step[] = [];

type MarkItemProps = {
  item: RunItem;
  name: string;
  /** The photo in this browser; undefined on another device, where it is asked for. */
  photoId: string | undefined;
  cost: number;
  isBusy: boolean;
  onMarks: (marks: Marks, file: Blob) => void;
};

export function MarkItem({ item, name, photoId, cost, isBusy, onMarks }: MarkItemProps) {
  const kept = useKeptFile(photoId);
  const [given, setGiven] = useState<File | null>(null);
  const [isOpen, setOpen] = useState(false);
  const [steps, setSteps] = useState(NOTHING);
  const file = kept ?? given;
  const label = `Mark it: ${name}`;
  return (
    <>
      {file === null ? (
        <FileButton
          label="Mark it"
          name={label}
          icon={<Icon name="box" />}
          onFile={(chosen) => {
            setGiven(chosen);
            setOpen(true);
          }}
        />
      ) : (
        <Button icon={<Icon name="box" />} aria-label={label} disabled={isBusy} onClick={() => setOpen(true)}>
          Mark it
        </Button>
      )}
      {isOpen && file !== null && (
        <MarkPhoto
          item={item}
          photo={file}
          title="Show us the product"
          earlier={steps}
          apply={{ label: 'Try again', cost: plural(cost, 'credit'), note: '' }}
          onClose={(drawn) => {
            setSteps(drawn);
            setOpen(false);
          }}
          onApply={(marks, drawn) => {
            setSteps(drawn);
            setOpen(false);
            onMarks(marks, file);
          }}
        />
      )}
    </>
  );
}
