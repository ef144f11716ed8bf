import { nameTool, tools, type ToolId } from '@plinth/contract/tools';
import { Logo } from '../ui/pages/Logo.tsx';
import { site } from '../ui/pages/site.tsx';
import { featuredOn } from './content.ts';

export function FeaturedOn() {
  return (
    <section className="page-width strip columns" aria-labelledby="featured-title">
      <h2 className="small" id="featured-title">
        Featured on<span className="sr-only">: where pictures from Plinth are used</span>
      </h2>
      <ul className="cluster spread">
        {featuredOn.map(({ name, url }) => (
          <li key={name}>{url === undefined ? name : <a href={url}>{name}</a>}</li>
        ))}
      </ul>
    </section>
  );
}

const TOOLS: ToolId[] = ['text-to-image', 'remover', 'dress-change', 'image-to-video', 'headshot-generator'];

export function Footer() {
  return (
    <footer className="landing-foot footing">
      <div className="page-width foot-in">
        <div className="foot-line">
          <Logo />
          <p className="small">Pictures and videos that sell, from the photos you already have.</p>
        </div>
        <nav className="links" aria-label="Product">
          <h2 className="caption">Product</h2>
          {TOOLS.map((id) => (
            <a key={id} href={`/dashboard/${id}`}>
              {nameTool(tools[id])}
            </a>
          ))}
        </nav>
        <nav className="links" aria-label="Company">
          <h2 className="caption">Company</h2>
          <a href={`mailto:${site('contactEmail')}`}>Contact</a>
          <a href={site('socialUrl')}>Follow us</a>
          <a href="/dashboard/credits">Credits</a>
          <a href="/developers">Developers</a>
          <a href="/status">Status</a>
          <a href="/verify">Verify a picture</a>
        </nav>
        <nav className="links" aria-label="Legal">
          <h2 className="caption">Legal</h2>
          <a href="/privacy">Privacy Policy</a>
          <a href="/terms">Terms of Service</a>
        </nav>
      </div>
    </footer>
  );
}
