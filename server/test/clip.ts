import encoders from 'h264-mp4-encoder';

type ClipOptions = { width?: number; height?: number; frames?: number; isMoving?: boolean; isBlack?: boolean };

/** Encodes a real MP4: moving blocks of colour, or one frame repeated. Sizes in pixels, even. */
export async function makeClip(options: ClipOptions = {}): Promise<Buffer> {
  const { width = 64, height = 48, frames = 24, isMoving = true, isBlack = false } = options;
  const encoder = await encoders.createH264MP4Encoder();
  encoder.width = width;
  encoder.height = height;
  encoder.frameRate = 24;
  encoder.initialize();
  for (let frame = 0; frame < frames; frame += 1) {
    encoder.addFrameRgba(isBlack ? black(width, height) : drawBlocks(width, height, isMoving ? frame : 0));
  }
  encoder.finalize();
  const content = Buffer.from(encoder.FS.readFile(encoder.outputFilename));
  encoder.delete();
  return content;
}

function drawBlocks(width: number, height: number, shift: number): Uint8Array {
  const pixels = new Uint8Array(width * height * 4);
  for (let at = 0; at < width * height; at += 1) {
    const x = (at % width) + shift * 3;
    const y = Math.floor(at / width);
    const tone = (Math.imul((x >> 2) * 31 + (y >> 2) * 17 + 7, 0x9e3779b1) >>> 24) & 0xff;
    pixels.set([tone, 255 - tone, (tone * 3) & 0xff, 255], at * 4);
  }
  return pixels;
}

function black(width: number, height: number): Uint8Array {
  return new Uint8Array(width * height * 4).map((_zero, at) => (at % 4 === 3 ? 255 : 0));
}

/** Adds this JPEG as the built-in engine does: behind the frames, so that their offsets stay. */
export function coverClip(clip: Buffer, jpeg: Buffer): Buffer {
  const movie = clip.indexOf('moov') - 4;
  const end = movie + clip.readUInt32BE(movie);
  const value = makeBox('data', Buffer.from([0, 0, 0, 13, 0, 0, 0, 0]), jpeg);
  const about = makeBox('udta', makeBox('meta', Buffer.alloc(4), makeBox('ilst', makeBox('covr', value))));
  const covered = Buffer.concat([clip.subarray(0, end), about, clip.subarray(end)]);
  covered.writeUInt32BE(end + about.byteLength - movie, movie);
  return covered;
}

export function makeBox(type: string, ...content: Uint8Array[]): Buffer {
  const box = Buffer.concat([Buffer.alloc(4), Buffer.from(type, 'latin1'), ...content]);
  box.writeUInt32BE(box.byteLength, 0);
  return box;
}
