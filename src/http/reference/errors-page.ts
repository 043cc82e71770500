import { errorTable } from '../../lib/errors.ts';
import { html, renderDocumentation } from '../pages/html.ts';

/** The catalogue of refusals, from the table that makes them. */
export function renderErrorsPage(): string {
  const rows = Object.entries(errorTable).sort(([, a], [, b]) => a.status - b.status);
  const statuses = [...new Set(rows.map(([, { status }]) => status))];
  return renderDocumentation(
    'Errors · Purser',
    html`<h1>Errors</h1>
<p>A refusal is JSON with <code>error</code>, a <code>message</code> that says what to do, and, unless the table says otherwise, a <code>code</code> for programs.
Agent checkouts answer <code>statusCode</code>, <code>error</code> and <code>message</code>. Give <code>x-request-id</code> of the answer when you ask for help.</p>
<p class="jump">${statuses.map((status) => html`<a href="#s${status}">${status}</a> `)}</p>
${statuses.map(
  (status) =>
    html`<h2 id="s${status}">${status}</h2><table>${rows
      .filter(([, row]) => row.status === status)
      .map(
        ([code, row]) =>
          html`<tr id="${code}"><td><code>${code}</code></td><td>${row.message}${'codeInBody' in row && html` <span class="muted">No code in the body.</span>`}</td></tr>`,
      )}</table>`,
)}
<h2>What to try again</h2>
<p>429 and 503 carry <code>Retry-After</code> where a time is known. After 500, 502, 503, 504 or no answer at all, repeat a POST with the same
<code>x-idempotency-key</code>: it is done once. 409 <code>conflict</code>: read the object again. Other refusals stay until something changes.</p>`,
  );
}
