import type { Plane, Rgb } from '../pixels/plane.ts';
import type { Marks, ShareBox } from './marks.ts';

export type Report = (percent: number, message: string) => Promise<void>;

/** The product cannot be told from its background without a person's help. */
export class UnclearProduct extends Error {
  /** Around what it may be; undefined where nothing was found. */
  readonly box: ShareBox | undefined;

  constructor(reason: string, box?: ShareBox) {
    super(reason);
    this.name = 'UnclearProduct';
    this.box = box;
  }
}

/** Finds the product: alpha 0..1 of the picture's size. @throws UnclearProduct */
export type Matting = {
  name: string;
  find: (picture: Rgb, report: Report, marks?: Marks) => Promise<Plane>;
};

/** What the engine is told of a network: a process that dies between the first two died of it. */
export type NetworkNews = { state: 'loading' } | { state: 'ready' } | { state: 'failed'; reason: string };
