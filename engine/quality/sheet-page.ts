/** The page of the picture sheet: all samples by tool. */

/** A result with its inputs; files are beside the page. */
export type Sample = {
  tool: keyof typeof TOOLS;
  says: string;
  inputs: string[];
  /** The result, or of a film a strip of its frames; missing if the engine refused. */
  picture?: string;
  film?: string;
  /** Time and other measurements. */
  figures: string;
  /** The engine's refusal. */
  refusal?: string;
};

const TOOLS = {
  cutout: 'Background removal',
  scene: 'Background customization',
  'try-on': 'Dress change',
  headshot: 'Headshot',
  loop: 'Basic image to video',
  film: 'Product video',
} as const;

/** Renders the page; `facts`: a line about its making. */
export function writePage(samples: readonly Sample[], facts: string): string {
  const sections = Object.entries(TOOLS).map(([tool, title]) => {
    const cards = samples.filter((sample) => sample.tool === tool).map(writeCard);
    return cards.length === 0 ? '' : `<h2>${title}</h2><div>${cards.join('\n')}</div>`;
  });
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Engine sheet</title>
<style>${STYLE}</style>
<h1>Engine sheet</h1><p>${escape(facts)}</p>
${sections.join('\n')}
</html>
`;
}

function writeCard({ tool, says, inputs, picture, film, figures, refusal }: Sample): string {
  const looks = tool === 'cutout' ? ['white', 'black'] : [film ? 'strip' : ''];
  const parts = [
    ...inputs.map((file) => `<img src="${file}" alt="input" loading="lazy">`),
    film && `<video src="${film}" controls loop muted playsinline preload="none"></video>`,
    ...looks.map((look) => picture && writePicture(picture, look, says)),
    refusal && `<p>${escape(refusal)}</p>`,
    `<figcaption><b>${escape(says)}</b> ${escape(figures)}</figcaption>`,
  ];
  return `<figure>${parts.filter(Boolean).join('')}</figure>`;
}

function writePicture(file: string, look: string, says: string): string {
  return `<a href="${file}"><img class="${look}" src="${file}" alt="${escape(says)}" loading="lazy"></a>`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

const STYLE = `
:root{font:14px/1.45 system-ui,sans-serif;background:#e9e8e5}
div{display:grid;gap:16px;grid-template-columns:repeat(auto-fill,minmax(440px,1fr))}
figure{margin:0;padding:10px;background:#fff;border-radius:10px;display:grid;gap:6px;grid-template-columns:1fr 1fr}
.strip,video,figcaption,p{grid-column:1/-1}
img,video{width:100%}.white{background:#fff;outline:1px solid #ddd}.black{background:#000}
`;
