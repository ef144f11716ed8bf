// Writes brotli and gzip copies beside compressible build files, which the server sends unchanged. Pages have none,
// because the server inserts its origin into them first.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const dist = resolve(process.argv[2]);
for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !/\.(js|css|svg|json|txt|wasm|onnx)$/.test(entry.name)) continue;
  const path = join(entry.parentPath, entry.name);
  const content = readFileSync(path);
  if (content.byteLength < 1024) continue;
  // For megabytes the best quality would take ten seconds and save 100 KB of 2.8 MB.
  const isLarge = content.byteLength > 1_000_000;
  const params = { [constants.BROTLI_PARAM_QUALITY]: isLarge ? 5 : constants.BROTLI_MAX_QUALITY };
  writeFileSync(`${path}.br`, brotliCompressSync(content, { params }));
  writeFileSync(`${path}.gz`, gzipSync(content, { level: isLarge ? 5 : 9 }));
}
