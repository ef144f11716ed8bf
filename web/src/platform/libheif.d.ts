/** What is used of libheif-js, which describes only the C functions. */
declare module 'libheif-js/libheif-wasm/libheif-bundle.mjs' {
  type Pixels = { width: number; height: number; data: Uint8ClampedArray };
  type HeifImage = {
    is_primary: () => boolean;
    /** Pixels, upright. */
    get_width: () => number;
    get_height: () => number;
    /** Fills `data` with RGBA; null if that fails. */
    display: (pixels: Pixels, done: (shown: Pixels | null) => void) => void;
  };
  /** Compiles the decoder. An unreadable file has no images. */
  const makeHeif: () => { HeifDecoder: new () => { decode: (file: Uint8Array) => HeifImage[] } };
  export { makeHeif as default };
}
