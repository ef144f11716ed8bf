import type { ReactNode } from 'react';
import type { Package } from '@plinth/contract/payments';
import { formatCount, formatPrice } from '../ui/format.ts';
import { Icon } from '../ui/icons.tsx';
import './payments.css';

// What the six kinds of work cost; the two video tools are sold here before they can be opened.
const BASIC_VIDEO_CREDITS = 2;
const PRODUCT_VIDEO_CREDITS = 5;

type PackageCardsProps = {
  packages: Package[];
  /** The button or link of a card. */
  action: (one: Package) => ReactNode;
};

/** The three packages on sale. */
export function PackageCards({ packages, action }: PackageCardsProps) {
  return (
    <ul className="pkgs">
      {packages.map((one) => (
        <li key={one.key} className={one.popular ? 'pkg pop' : 'pkg'}>
          <div className="pkg-head">
            <h3 className="t2">{one.name}</h3>
            {one.popular && <span className="chip ok">Popular</span>}
          </div>
          <p className="price num">{formatPrice(one.price.amount)}</p>
          <p className="t2 num">{formatCount(one.credits)} credits</p>
          <p className="tag num">${(one.price.amount / 100 / one.credits).toFixed(2)} for one credit</p>
          <ul className="gets">
            {whatYouGet(one.credits).map((line) => (
              <li key={line} className="num">
                <Icon name="check" size={16} />
                <span>{line}</span>
              </li>
            ))}
          </ul>
          {action(one)}
        </li>
      ))}
    </ul>
  );
}

function whatYouGet(credits: number): string[] {
  const basic = Math.floor(credits / BASIC_VIDEO_CREDITS);
  const product = Math.floor(credits / PRODUCT_VIDEO_CREDITS);
  return [
    `${credits} image edits, or ${basic} basic videos, or ${product} product videos`,
    'Generated content is stored for 2 days',
    'A generation that fails gives its credits back',
  ];
}
