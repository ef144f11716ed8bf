import type { ReactNode } from 'react';
import { listPackages, type Package } from '@plinth/contract/payments';
import type { MediaType, Tool } from '@plinth/contract/tool';
import { tools } from '@plinth/contract/tools';
import { inOurLanguage } from '../platform/server-sentences.ts';
import { formatCount, formatPrice } from '../ui/format.ts';
import { Icon } from '../ui/icons.tsx';
import './payments.css';

type PackageCardsProps = {
  isFirst?: (one: Package) => boolean;
  action: (one: Package) => ReactNode;
};

export function PackageCards({ isFirst = ({ popular }) => popular, action }: PackageCardsProps) {
  return (
    <ul className="packages">
      {listPackages().map((one) => (
        <li key={one.key} className={isFirst(one) ? 'package surface is-first' : 'package surface'}>
          <div className="pkg-head spread">
            <h3 className="title-small">{inOurLanguage(one.name)}</h3>
            {one.popular && <span className="badge is-good">Popular</span>}
          </div>
          <p className="price figures">{formatPrice(one.price.amount)}</p>
          <p className="title-small figures">{formatCount(one.credits)} credits</p>
          <p className="caption figures">${(one.price.amount / 100 / one.credits).toFixed(2)} for one credit</p>
          <ul className="package-gets gets-list small">
            {whatYouGet(one.credits).map((line) => (
              <li key={line} className="figures">
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

const WHAT_IS_MADE: Record<MediaType, string> = {
  product_image: 'image edits',
  basic_video: 'basic videos',
  premium_video: 'product videos',
};

function whatYouGet(credits: number): string[] {
  return [
    listWhatCreditsMake(credits),
    'Generated content is stored for 2 days',
    'A generation that fails gives its credits back',
  ];
}

function listWhatCreditsMake(credits: number): string {
  const all: Tool[] = Object.values(tools);
  return Object.entries(WHAT_IS_MADE)
    .map(([mediaType, name]) => ({ name, cost: all.find((tool) => tool.mediaType === mediaType)?.cost }))
    .filter(({ cost }) => cost !== undefined)
    .map(({ name, cost }) => `${Math.floor(credits / (cost ?? 1))} ${name}`)
    .reduce((all, one) => `${all}, or ${one}`);
}
