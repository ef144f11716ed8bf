/** Parses the index of a finished clip (ISO/IEC 14496-12). */
export function readMp4(bytes: Uint8Array) {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const at = (type: string) => file.indexOf(type, 0, 'latin1') + 4; // content of the first box of the type
  const [entry, time, sizes] = [at('avc1'), at('mdhd'), at('stsz')];
  const frames = file.readUInt32BE(sizes + 8);
  const same = file.readUInt32BE(sizes + 4); // 0 if they differ
  const frameBytes = Array.from({ length: frames }, (_, n) => same || file.readUInt32BE(sizes + 12 + 4 * n));
  return {
    width: file.readUInt16BE(entry + 24),
    height: file.readUInt16BE(entry + 26),
    frames,
    seconds: file.readUInt32BE(time + 16) / file.readUInt32BE(time + 12),
    sampleBytes: frameBytes.reduce((sum, size) => sum + size, 0),
    mediaBytes: file.readUInt32BE(at('mdat') - 8) - 8,
    startsFast: at('moov') < at('mdat'),
  };
}

/** Reads the cover art ("covr") of a file. */
export function readCoverArt(bytes: Uint8Array): Uint8Array {
  const value = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf('covr', 0, 'latin1') + 4;
  const size = Buffer.from(bytes.buffer, bytes.byteOffset + value, 4).readUInt32BE(0);
  return bytes.subarray(value + 16, value + size);
}
