/** The page of the picture sheet: all samples by tool. */

/** A result with its inputs; files are beside the page. */
export type Sample = {
  tool: Tool;
  says: string;
  inputs: string[];
  /** Pictures, or a film with a strip of its frames; empty if the engine refused. */
  shown: Shown[];
  /** Size, time and other measurements. */
  figures: string;
  /** The engine's refusal. */
  refusal?: string | undefined;
};

type Shown = {
  file: string;
  kind: 'picture' | 'film' | 'strip';
  /** The colour behind transparent parts. */
  background?: 'white' | 'black';
};

const TOOLS = {
  cutout: 'Background removal',
  scene: 'Background customization',
  'try-on': 'Dress change',
  headshot: 'Headshot',
  loop: 'Basic image to video',
  film: 'Product video',
} as const;

type Tool = keyof typeof TOOLS;

/** "1.2 s" since a moment of `performance.now()`. */
export function secondsSince(started: number): string {
  return `${((performance.now() - started) / 1000).toFixed(1)} s`;
}

/** Renders the page; `facts`: a line about its making. */
export function writePage(samples: readonly Sample[], facts: string): string {
  const sections = (Object.keys(TOOLS) as Tool[]).flatMap((tool) => {
    const own = samples.filter((sample) => sample.tool === tool);
    return own.length === 0
      ? []
      : [`<h2>${TOOLS[tool]}</h2><div class="${tool}">${own.map(writeCard).join('\n')}</div>`];
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

function writeCard({ says, inputs, shown, figures, refusal }: Sample): string {
  const sources = inputs.map((file) => `<img src="${file}" alt="input" loading="lazy">`).join('');
  const results = shown.map((one) => writeShown(one, says)).join('');
  const note = refusal === undefined ? '' : `<p>${escape(refusal)}</p>`;
  return `<figure>${sources}${results}${note}<figcaption><b>${escape(says)}</b> ${escape(figures)}</figcaption></figure>`;
}

function writeShown({ file, kind, background = 'black' }: Shown, says: string): string {
  if (kind === 'film') return `<video src="${file}" controls loop muted playsinline preload="none"></video>`;
  return `<a href="${file}"><img class="${kind} ${background}" src="${file}" alt="${escape(says)}" loading="lazy"></a>`;
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
