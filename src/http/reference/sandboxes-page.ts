import { html, renderDocumentation } from '../html.ts';

/** Values that make a stand-in of a company do something, by what it stands for. */
export interface SandboxValues {
  readonly title: string;
  readonly intro: string;
  readonly guide: string;
  readonly rows: readonly (readonly [value: string, effect: string])[];
}

export function renderSandboxesPage(sandboxes: readonly SandboxValues[]): string {
  return renderDocumentation(
    'Sandboxes · Purser',
    html`<h1>Sandboxes</h1>
<p>In development the companies behind orders are stand-ins. These values decide what they do.</p>
${sandboxes.map(
  ({ title, intro, guide, rows }) => html`<h2>${title}</h2><p>${intro} <a href="/docs/guides/${guide}">Guide</a></p>
<table>${rows.map(([value, effect]) => html`<tr><td><code>${value}</code></td><td>${effect}</td></tr>`)}</table>`,
)}`,
  );
}
