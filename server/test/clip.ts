import encoders from 'h264-mp4-encoder';

export type ClipOptions = { width?: number; height?: number; frames?: number; isMoving?: boolean; isBlack?: boolean };

/** A real MP4: blocks of colour that travel, or one frame again and again. Sizes in pixels, even. */
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
