import type { ReactNode } from 'react';
import { listPackages, type Package } from '@plinth/contract/payments';
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
        <li key={one.key} className={isFirst(one) ? 'package column surface is-first' : 'package column surface'}>
          <div className="pkg-head spread">
            <h3 className="title-small">{inOurLanguage(one.name)}</h3>
            {one.popular && <span className="badge is-good">Popular</span>}
          </div>
          <p className="price figures">{formatPrice(one.price.amount)}</p>
          <p className="title-small figures">{formatCount(one.credits)} credits</p>
          <p className="caption figures">${(one.price.amount / 100 / one.credits).toFixed(2)} for one credit</p>
          <ul className="package-gets gets-list small">
            {listBenefits(one.credits).map((line) => (
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

function listBenefits(credits: number): string[] {
  const [images, basic, premium] = MAKERS.map((toolId) => Math.floor(credits / tools[toolId].cost));
  return [
    `${images} image edits, or ${basic} basic videos, or ${premium} product videos`,
    'Generated content is stored for 2 days',
    'A generation that fails gives its credits back',
  ];
}

const MAKERS = ['text-to-image', 'basic-image-to-video', 'image-to-video'] as const;
