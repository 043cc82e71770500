import { html, renderDocumentation } from '../pages/html.ts';

/** Values that make a stand-in of a company do something, by what it stands for. */
export interface SandboxValues {
  readonly title: string;
  readonly intro: string;
  readonly guide: string;
  readonly rows: readonly (readonly [value: string, effect: string])[];
}

/** Groups of digits stay on one line. */
const unbroken = (value: string) => value.replaceAll(/(?<=\d) (?=\d)/g, '\u00a0');
/** Words between backticks are what programs write. */
const withCode = (text: string) =>
  text.split('`').map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`));

export function renderSandboxesPage(sandboxes: readonly SandboxValues[]): string {
  return renderDocumentation(
    'Sandboxes · Purser',
    html`<h1>Sandboxes</h1>
<p>In development the companies behind orders are stand-ins. These values decide what they do.</p>
${sandboxes.map(
  ({
    title,
    intro,
    guide,
    rows,
  }) => html`<h2>${title}</h2><p>${intro} <a href="/docs/guides/${guide}">Guide</a></p>
<table>${rows.map(([value, effect]) => html`<tr><td><code class="whole">${unbroken(value)}</code></td><td>${withCode(effect)}</td></tr>`)}</table>`,
)}`,
  );
}
