declare module 'tinyh264/lib/TinyH264.js' {
  function makeDecoder(): Promise<object>;
  export { makeDecoder as default };
}
declare module 'tinyh264/lib/TinyH264Decoder.js' {
  class TinyH264Decoder {
    constructor(module: object, onPicture: (planes: Uint8Array, width: number, height: number) => void);
    /** One NAL unit with its start code. */
    decode(unit: Uint8Array): void;
  }
  export { TinyH264Decoder as default };
}
