/** The page of the picture sheet: all samples by tool, to be gone through with the arrow keys. */

/** One result with what it was made from; files lie beside the page. */
export type Sample = {
  tool: Tool;
  says: string;
  inputs: string[];
  /** Pictures, or a film with a strip of its frames below it; none where the engine refused. */
  shown: Shown[];
  /** Size, time and what else was measured. */
  figures: string;
  /** What the engine said instead of a result. */
  refusal?: string;
};

type Shown = {
  file: string;
  kind: 'picture' | 'film' | 'strip';
  /** What lies behind transparent parts. */
  ground?: 'white' | 'black';
};

const TOOLS = {
  cutout: 'Background removal',
  scene: 'Background customization',
  tryon: 'Dress change',
  headshot: 'Headshot',
  loop: 'Basic image to video',
  film: 'Product video',
} as const;

type Tool = keyof typeof TOOLS;

/** "1.2 s" since a moment of `performance.now()`. */
export function secondsSince(started: number): string {
  return `${((performance.now() - started) / 1000).toFixed(1)} s`;
}

/** The whole page; `facts` says how long it took and where, `failures` what is missing because it broke. */
export function writePage(samples: Sample[], facts: string, failures: string[]): string {
  const groups = (Object.keys(TOOLS) as Tool[]).map((tool) => ({
    tool,
    of: samples.filter((sample) => sample.tool === tool),
  }));
  const links = groups.map(({ tool, of }) => `<a href="#${tool}">${TOOLS[tool]} <small>${of.length}</small></a>`);
  const sections = groups.map(
    ({ tool, of }) =>
      `<section id="${tool}" class="${tool}"><h2>${TOOLS[tool]}</h2><div>${of.map(writeCard).join('\n')}</div></section>`,
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Engine sheet</title>
<style>${STYLE}</style>
<header><h1>Engine sheet</h1><p>${escape(facts)}</p>${failures.map((failure) => `<p class="failed">${escape(failure)}</p>`).join('')}<p>Arrow keys go from sample to sample, Enter enlarges, Esc closes.</p><nav aria-label="Tools">${links.join('')}</nav></header>
<main>${sections.join('\n')}</main>
<dialog aria-label="Enlarged sample"></dialog>
<script type="module">${SCRIPT}</script>
</html>
`;
}

function writeCard({ says, inputs, shown, figures, refusal }: Sample): string {
  const sources = inputs.map((file) => `<img src="${file}" alt="input" loading="lazy">`).join('');
  const results = shown.map((one) => writeShown(one, says)).join('');
  const note = refusal === undefined ? '' : `<p>${escape(refusal)}</p>`;
  return `<figure tabindex="0"><div class="sources">${sources}</div><div class="results">${results}${note}</div><figcaption><b>${escape(says)}</b><span>${escape(figures)}</span></figcaption></figure>`;
}

function writeShown({ file, kind, ground }: Shown, says: string): string {
  if (kind === 'film') return `<video src="${file}" controls loop muted playsinline preload="auto"></video>`;
  const place = kind === 'strip' ? 'strip' : (ground ?? 'plain');
  return `<img class="${place}" src="${file}" alt="${escape(says)}" loading="lazy">`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

const STYLE = `
:root{font:14px/1.45 system-ui,sans-serif;color:#1c1c1a;background:#e9e8e5}
*{box-sizing:border-box}body{margin:0}h1{font-size:22px;margin:0}h2{font-size:19px;margin:0 0 12px}
header{padding:20px 28px 0}header p{margin:4px 0;color:#55534e}
nav{position:sticky;top:0;display:flex;flex-wrap:wrap;gap:8px;padding:12px 0}
nav a{color:inherit;text-decoration:none;background:#fff;padding:5px 12px;border-radius:99px}nav small{color:#77746d}
nav a:hover{background:#1c1c1a;color:#fff}
main{padding:0 28px 60px}section{padding-top:28px}
section>div{display:grid;gap:16px;grid-template-columns:repeat(auto-fill,minmax(440px,1fr))}
.scene>div{grid-template-columns:repeat(auto-fill,minmax(270px,1fr))}
figure{margin:0;padding:10px;background:#fff;border-radius:10px;display:grid;grid-template-columns:92px 1fr;gap:10px;align-content:start}
figure:focus-visible,a:focus-visible{outline:3px solid #2f6fde;outline-offset:2px}
.scene figure{grid-template-columns:1fr}.scene .sources{display:none}
img,video{display:block;width:100%;border-radius:5px}
.loop>div,.film>div{grid-template-columns:repeat(auto-fill,minmax(560px,1fr))}
main video{max-height:440px;object-fit:contain;background:#f1f0ed}
.sources{display:grid;gap:6px;align-content:start}
.results{display:grid;gap:6px;align-content:start}
.cutout>div{grid-template-columns:repeat(auto-fill,minmax(600px,1fr))}.cutout .results{grid-template-columns:repeat(3,1fr)}
.cutout .plain{background:repeating-conic-gradient(#c4c4c4 0 25%,#f2f2f2 0 50%) 0/18px 18px}
.white{background:#fff;outline:1px solid #ddd}.black{background:#000}
.results p{grid-column:1/-1;margin:0;padding:14px;border-radius:5px;background:#f3efe4}header .failed{color:#b3261e;font-weight:600}
figcaption{grid-column:1/-1;display:flex;justify-content:space-between;gap:12px;align-items:baseline}
figcaption span{color:#66635c;white-space:nowrap;font-variant-numeric:tabular-nums;text-align:right}
dialog{border:0;padding:16px;border-radius:12px;width:min(94vw,1500px);max-height:96vh}
dialog::backdrop{background:#000a}
dialog figure{padding:0;grid-template-columns:minmax(120px,22%) 1fr}
dialog .results img:not(.strip),dialog video{max-height:70vh;object-fit:contain}
`;

const SCRIPT = `
const cards=[...document.querySelectorAll('main figure')];const dialog=document.querySelector('dialog');let at=0;
const show=()=>{dialog.replaceChildren(cards[at].cloneNode(true));dialog.querySelector('figure').removeAttribute('tabindex');if(!dialog.open)dialog.showModal();dialog.querySelector('video')?.play()};
const go=(step)=>{at=Math.min(cards.length-1,Math.max(0,at+step));if(dialog.open)show();cards[at].focus({preventScroll:true});cards[at].scrollIntoView({block:'nearest'})};
for(const [n,card] of cards.entries()){card.addEventListener('focus',()=>{at=n});card.addEventListener('dblclick',()=>{at=n;show()})}
dialog.addEventListener('close',()=>cards[at].focus());
document.addEventListener('keydown',(event)=>{
if(event.target.closest?.('video,a')||event.ctrlKey||event.metaKey||event.altKey)return;
if(event.key==='ArrowRight'||event.key==='ArrowLeft'){go(event.key==='ArrowRight'?1:-1);event.preventDefault()}
if(event.key==='Enter'&&cards.includes(document.activeElement)){show();event.preventDefault()}});
const seen=new IntersectionObserver((entries)=>{for(const {target,isIntersecting} of entries){if(isIntersecting)target.play().catch(()=>{});else target.pause()}});
for(const video of document.querySelectorAll('main video'))seen.observe(video);
`;
