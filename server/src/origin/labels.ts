import { hash } from 'node:crypto';
import type { Composes } from '@plinth/contract/tool';
import { openSignedFile, UnreadableFileError } from '@plinth/contract/signed-file';
import { findXmp, readSourceType, SOURCE_TYPES } from '@plinth/contract/source-type';
import { PRODUCT } from '@plinth/contract/verify';
import { splitMp4 } from '../media/mp4.ts';
import { setPngXmp } from '../media/png.ts';
import { type CheckedResult, InvalidResultError, type LabelledResult } from '../media/results.ts';
import type { Signer } from './sign.ts';

/** The label in a result's file: XMP about its making, which replaces other metadata, and a signed manifest. */

export type Origin = {
  composes: Composes;
  isBuiltIn: boolean;
  system: string;
  at: Date;
  /** The manifests of the provider's file, by any signer; undefined if there are none. */
  manifests: Uint8Array | undefined;
};

/** Labels a file without re-encoding; deterministic. @throws InvalidResultError for a malformed file */
export async function labelResult(result: CheckedResult, origin: Origin, { sign }: Signer): Promise<LabelledResult> {
  const write = { 'image/png': setPngXmp, 'video/mp4': setMp4Xmp }[result.contentType];
  const { composes, system, at, manifests } = origin;
  const source = composes === 'nothing' ? 'photo, edited' : 'photo, drawn';
  const from = manifests === undefined ? source : { manifests };
  try {
    const labelled = write(result.content, writeXmp(origin), origin);
    const content = await sign(labelled, { system, at, from, sourceType: findSourceType(origin) });
    return { ...result, content, sha256: hash('sha256', content, 'hex'), createdAt: at };
  } catch (cause) {
    throw new InvalidResultError('the result cannot be labelled', { cause });
  }
}

/** Signs a file derived from one of ours, including its manifests. @throws Error as `Signer.sign` */
export function signDerived(derived: Buffer, from: Buffer, at: Date, { sign }: Signer): Promise<Buffer> {
  const sourceType = readSourceType(findXmp(from));
  return sign(derived, { system: PRODUCT, sourceType, at, from: { manifests: readManifests(from) } });
}

// Longer ones contain pictures, for which a pack has no room.
const MAX_MANIFEST_BYTES = 512 * 1024;
const MIN_WORD_LENGTH = 4;

/** The manifests of a provider's file; undefined if there are none, they are too large, or contain the user's words. */
export function findManifests(content: Buffer, words: readonly string[]): Uint8Array | undefined {
  const manifests = readManifests(content);
  if (manifests === undefined || manifests.byteLength > MAX_MANIFEST_BYTES) return undefined;
  const text = Buffer.from(manifests);
  return words.some((word) => word.length >= MIN_WORD_LENGTH && text.includes(word)) ? undefined : manifests;
}

/** A file's manifests, by any signer; undefined if there are none or they are unreadable. */
export function readManifests(content: Uint8Array): Uint8Array | undefined {
  try {
    return openSignedFile(content).getManifestJUMBF();
  } catch (error) {
    if (error instanceof UnreadableFileError) return undefined;
    throw error;
  }
}

function findSourceType({ composes, isBuiltIn }: Origin): string {
  if (composes === 'nothing') return 'algorithmicallyEnhanced';
  return composes === 'scene' && isBuiltIn ? 'compositeSynthetic' : 'compositeWithTrainedAlgorithmicMedia';
}

/** Fields of the IPTC Photo Metadata Standard 2025.1, which defines AISystemUsed. */
function writeXmp(origin: Origin): Buffer {
  const system = origin.system.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  return Buffer.from(`<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
 <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description rdf:about=""
    xmlns:xmp="http://ns.adobe.com/xap/1.0/"
    xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/">
   <xmp:CreatorTool>Plinth</xmp:CreatorTool>
   <Iptc4xmpExt:DigitalSourceType>${SOURCE_TYPES}${findSourceType(origin)}</Iptc4xmpExt:DigitalSourceType>
   <Iptc4xmpExt:AISystemUsed>${system}</Iptc4xmpExt:AISystemUsed>
  </rdf:Description>
 </rdf:RDF>
</x:xmpmeta>
<?xpacket end="r"?>`);
}

const XMP_BOX = Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex');
/** The boxes that a player needs, by their parent; deeper ones contain no metadata. */
const KEPT_BOXES: Record<string, ReadonlySet<string>> = {
  '': new Set(['ftyp', 'moov', 'mdat', 'moof', 'mfra', 'sidx', 'styp', 'pdin']),
  moov: new Set(['mvhd', 'trak', 'mvex', 'iods']),
  trak: new Set(['tkhd', 'mdia', 'edts', 'tref']),
};

/** Metadata that may stay in the movie: the built-in engine writes only a cover there. */
const USER_DATA = 'udta';

/** Appends a `uuid` box (XMP, part 3, MPEG-4) and blanks other metadata in place, so that no offset changes. */
function setMp4Xmp(mp4: Buffer, xmp: Buffer, { isBuiltIn }: Origin): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(head.byteLength + XMP_BOX.byteLength + xmp.byteLength, 0);
  head.write('uuid', 4, 'latin1');
  const labelled = Buffer.concat([mp4, head, XMP_BOX, xmp]);
  blankMetadata(labelled.subarray(0, mp4.byteLength), '', isBuiltIn);
  return labelled;
}

function blankMetadata(boxes: Buffer, name: string, keepsCover: boolean): void {
  for (const { type, head, body } of splitMp4(boxes)) {
    // A box of size 0 extends to the end of the file, which has moved.
    if (head.readUInt32BE(0) === 0) head.writeUInt32BE(head.byteLength + body.byteLength, 0);
    if (keepsCover && name === 'moov' && type === USER_DATA) continue;
    if (KEPT_BOXES[name]?.has(type) === false) {
      head.write('free', 4, 'latin1');
      body.fill(0);
    } else if (Object.hasOwn(KEPT_BOXES, type)) blankMetadata(body, type, keepsCover);
  }
}
