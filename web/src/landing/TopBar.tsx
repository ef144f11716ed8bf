import { AccountLink } from '../ui/pages/AccountLink.tsx';
import { buttonClass } from '../ui/button-class.ts';
import { Icon } from '../ui/icons.tsx';
import { Logo } from '../ui/pages/Logo.tsx';

const sections = [
  ['Features', '#features'],
  ['Pricing', '#pricing'],
  ['Reviews', '#reviews'],
  ['FAQ', '#faq'],
] as const;
const MENU = 'menu';

export function TopBar() {
  const links = sections.map(([label, href]) => (
    <a key={href} href={href}>
      {label}
    </a>
  ));
  return (
    <header className="public-top landing-top sticks">
      <div className="page-width spread">
        <Logo />
        <nav className="top-nav in-line at-end links" aria-label="Sections">
          {links}
        </nav>
        <AccountLink />
        <button
          type="button"
          className={`${buttonClass({ look: 'borderless', square: true })} top-menu`}
          popoverTarget={MENU}
          aria-label="Menu"
        >
          <Icon name="menu" />
        </button>
      </div>
      <nav id={MENU} className="popup landing-menu links" popover="auto" aria-label="Menu">
        {links}
      </nav>
    </header>
  );
}
