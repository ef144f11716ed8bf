/**
 * Writes a small ONNX network byte by byte (protobuf, onnx.proto of ONNX 1.15): the mean over the channels, then a
 * sigmoid. Bright is product, dark is background. Each variant has one fault that a loader must detect.
 */

export type NetworkShape = {
  /** The input's dimensions; a string is a free one. */
  input?: (number | string)[];
  /** The dimension of the mean; other than 1, the output has another shape. */
  axis?: number;
  hasSigmoid?: boolean;
  inputs?: number;
  /** Names of the inputs instead of in0, in1, …; only the first one is used. */
  names?: string[];
  outputName?: string;
  /** Number of additional sigmoids over the whole input, to consume time. */
  burden?: number;
  /** ONNX TensorProto.DataType: 1 is float32, 11 is float64. */
  elementType?: number;
};

export function makeNetwork(shape: NetworkShape = {}): Buffer {
  const { input = [1, 3, 'h', 'w'], axis = 1, hasSigmoid = true, inputs = 1, elementType = 1 } = shape;
  const { names = Array.from({ length: inputs }, (_, i) => `in${i}`), outputName = 'out', burden = 0 } = shape;
  const attributes = [ints('axes', [axis]), int('keepdims', 1)];
  const labels = [names[0] ?? '', ...Array.from({ length: burden }, (_, i) => `burden${i}`)];
  const nodes = labels.slice(1).map((label, i) => node('Sigmoid', labels[i] ?? '', label, []));
  nodes.push(node('ReduceMean', labels.at(-1) ?? '', hasSigmoid ? 'mean' : outputName, attributes));
  if (hasSigmoid) nodes.push(node('Sigmoid', 'mean', outputName, []));
  const output = input.map((size, i) => (i === axis ? 1 : size));
  const graph = Buffer.concat([
    ...nodes.map((bytes) => field(1, bytes)),
    field(2, 'g'),
    ...names.map((name) => field(11, valueInfo(name, input, elementType))),
    field(12, valueInfo(outputName, output, elementType)),
  ]);
  return Buffer.concat([number(1, 8), field(7, graph), field(8, number(2, 13))]);
}

function node(operation: string, from: string, to: string, attributes: Buffer[], ...more: string[]): Buffer {
  const words = [field(1, from), ...more.map((name) => field(1, name)), field(2, to), field(4, operation)];
  return Buffer.concat([...words, ...attributes.map((bytes) => field(5, bytes))]);
}

function ints(name: string, values: number[]): Buffer {
  return Buffer.concat([field(1, name), ...values.map((value) => number(8, value)), number(20, 7)]);
}

function int(name: string, value: number): Buffer {
  return Buffer.concat([field(1, name), number(3, value), number(20, 2)]);
}

function valueInfo(name: string, sizes: (number | string)[], elementType: number): Buffer {
  const dimensions = sizes.map((size) => field(1, typeof size === 'number' ? number(1, size) : field(2, size)));
  const tensor = Buffer.concat([number(1, elementType), field(2, Buffer.concat(dimensions))]);
  return Buffer.concat([field(1, name), field(2, field(1, tensor))]);
}

function field(tag: number, content: Buffer | string): Buffer {
  const bytes = Buffer.from(content);
  return Buffer.concat([varint(tag * 8 + 2), varint(bytes.length), bytes]);
}

function number(tag: number, value: number): Buffer {
  return Buffer.concat([varint(tag * 8), varint(value)]);
}

function varint(value: number): Buffer {
  const bytes = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest % 128) + 128);
  }
}

export type CutoutNetworkShape = {
  /** The fixed side; free if undefined. */
  side?: number;
  /** Name of the second input. */
  marks?: string;
  hasSigmoid?: boolean;
};

/** Like `cutout.onnx`: inputs `image` and `marks`, output `alpha`: steep at middle grey, with marks added. */
export function makeCutoutNetwork({ side, marks = 'marks', hasSigmoid = true }: CutoutNetworkShape = {}): Buffer {
  const planes = (channels: number) => [1, channels, side ?? 'h', side ?? 'w'];
  const attributes = [ints('axes', [1]), int('keepdims', 1)];
  const last = hasSigmoid ? 'logits' : 'alpha';
  const nodes = [
    node('Add', 'image', 'sum', [], marks),
    node('ReduceMean', 'sum', 'mean', attributes),
    node('Sub', 'mean', 'off', [], 'middle'),
    node('Mul', 'off', last, [], 'steep'),
    ...(hasSigmoid ? [node('Sigmoid', 'logits', 'alpha', [])] : []),
  ];
  const graph = Buffer.concat([
    ...nodes.map((bytes) => field(1, bytes)),
    field(2, 'g'),
    field(5, scalar('middle', 0.5)),
    field(5, scalar('steep', 40)),
    field(11, valueInfo('image', planes(3), 1)),
    field(11, valueInfo(marks, planes(3), 1)),
    field(12, valueInfo('alpha', planes(1), 1)),
  ]);
  return Buffer.concat([number(1, 8), field(7, graph), field(8, number(2, 13))]);
}

/** A TensorProto of one float32. */
function scalar(name: string, value: number): Buffer {
  const raw = Buffer.alloc(4);
  raw.writeFloatLE(value);
  return Buffer.concat([number(2, 1), field(8, name), field(9, raw)]);
}

/** Like `worn.onnx`: its three parts are the picture's red, green and blue. */
export function makeWornNetwork(): Buffer {
  const planes = [1, 3, 'h', 'w'];
  const graph = Buffer.concat([
    field(1, node('Identity', 'image', 'parts', [])),
    field(2, 'g'),
    field(11, valueInfo('image', planes, 1)),
    field(12, valueInfo('parts', planes, 1)),
  ]);
  return Buffer.concat([number(1, 8), field(7, graph), field(8, number(2, 13))]);
}
