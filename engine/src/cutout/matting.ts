import type { Plane, Rgb } from '../pixels/plane.ts';
import type { Marks } from './marks.ts';

export type Report = (percent: number, message: string) => Promise<void>;

/** The product cannot be told from its background. */
export class UnclearProduct extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'UnclearProduct';
  }
}

/** Finds the product: cover 0..1 of the picture's size. @throws UnclearProduct */
export type Matting = {
  name: string;
  find: (picture: Rgb, report: Report, marks?: Marks) => Promise<Plane>;
};

/** What the engine hears about a network: a process that dies between the first two died of it. */
export type NetworkNews = { state: 'loading' } | { state: 'ready' } | { state: 'failed'; reason: string };
