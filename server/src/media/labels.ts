import { createHash } from 'node:crypto';
import type { Composes } from '@plinth/contract/tool';
import { splitMp4 } from './mp4.ts';
import { setPngXmp } from './png.ts';
import { type CheckedResult, InvalidResultError } from './results.ts';
import { SOURCE_TYPES } from './source-type.ts';

/** The label in a result's file: how it was made, in XMP, in the place of whatever the file said of itself before. */

export type Origin = {
  composes: Composes;
  isBuiltIn: boolean;
  /** What made it, by its public name. */
  system: string;
};

export type LabelledResult = CheckedResult & { sha256: string };

/**
 * The same picture or video with its label, no pixel encoded anew; the same origin gives the same bytes.
 * @throws InvalidResultError when the file is not put together as it should be
 */
export function labelResult(result: CheckedResult, origin: Origin): LabelledResult {
  const write = { 'image/png': setPngXmp, 'video/mp4': setMp4Xmp }[result.contentType];
  try {
    const content = write(result.content, writeXmp(origin));
    return { ...result, content, sha256: createHash('sha256').update(content).digest('hex') };
  } catch (cause) {
    throw new InvalidResultError('the result cannot be labelled', { cause });
  }
}

function findSourceType({ composes, isBuiltIn }: Origin): string {
  if (composes === 'nothing') return 'algorithmicallyEnhanced';
  return composes === 'scene' && isBuiltIn ? 'compositeSynthetic' : 'compositeWithTrainedAlgorithmicMedia';
}

/** By the IPTC Photo Metadata Standard 2025.1, which has AISystemUsed. */
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
/** The boxes that a player needs, by the box they lie in; further in lies nothing that only says something. */
const PLAYED: Record<string, ReadonlySet<string>> = {
  '': new Set(['ftyp', 'moov', 'mdat', 'moof', 'mfra', 'sidx', 'styp', 'pdin']),
  moov: new Set(['mvhd', 'trak', 'mvex', 'iods']),
  trak: new Set(['tkhd', 'mdia', 'edts', 'tref']),
};

/**
 * A `uuid` box at the end (XMP Specification, part 3, MPEG-4), where it moves nothing that is found by its place in the
 * file. What the others say is overwritten with nothing, and so moves nothing either.
 */
function setMp4Xmp(mp4: Buffer, xmp: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(head.byteLength + XMP_BOX.byteLength + xmp.byteLength, 0);
  head.write('uuid', 4, 'latin1');
  const labelled = Buffer.concat([mp4, head, XMP_BOX, xmp]);
  silence(labelled.subarray(0, mp4.byteLength), '');
  return labelled;
}

function silence(surroundings: Buffer, name: string): void {
  for (const { type, head, body } of splitMp4(surroundings)) {
    // One of size 0 reaches to the end of the file, which now lies further back.
    if (head.readUInt32BE(0) === 0) head.writeUInt32BE(head.byteLength + body.byteLength, 0);
    if (PLAYED[name]?.has(type) === false) {
      head.write('free', 4, 'latin1');
      body.fill(0);
    } else if (Object.hasOwn(PLAYED, type)) silence(body, type);
  }
}
