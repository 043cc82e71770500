import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { findShipped } from '../../config/folders.ts';
import { type Html, html, renderDocumentation } from '../pages/html.ts';
import { readShipped } from './shipped.ts';

const folder = 'docs/guides';
const namePattern = /^[a-z0-9-]{1,80}$/;

interface Guide {
  readonly name: string;
  readonly title: string;
}
type GuideGroup = readonly [title: string, guides: readonly Guide[]];

/** In the order in which they are read. A test wants every guide in one of them. */
const groups: readonly (readonly [title: string, names: readonly string[]])[] = [
  [
    'Build with it',
    [
      'orders',
      'onramp',
      'offramp',
      'collections',
      'agent-checkouts',
      'mcp',
      'webhooks',
      'identity',
      'email-and-phone-signers',
      'approval-page',
      'what-you-sign',
      'clock',
      'interface-choices',
    ],
  ],
  ['Chains', ['chain-families', 'networks', 'solana', 'stellar', 'sui', 'aptos']],
  ['Money', ['ledger', 'reconciliation', 'treasury-and-deposits', 'cards', 'payouts', 'screening']],
  ['Run it', ['operations', 'configuration', 'console', 'vault', 'runner', 'keys']],
  ['What it promises', ['security-model', 'ways-in', 'data', 'written-tables', 'faults', 'asvs']],
];

/** The guides that were shipped. */
export function listGuides(): GuideGroup[] {
  const found = findShipped(folder);
  if (found === undefined) return [];
  const shipped = new Set(
    readdirSync(found).flatMap((file) => (file.endsWith('.md') ? [file.slice(0, -3)] : [])),
  );
  const grouped = new Set(groups.flatMap(([, names]) => names));
  const others = [...shipped].filter((name) => !grouped.has(name)).toSorted();
  return [...groups, ['More', others] as const]
    .map(
      ([title, names]): GuideGroup => [
        title,
        names
          .filter((name) => shipped.has(name))
          .map((name) => ({ name, title: titleOf(readShipped(join(folder, `${name}.md`))!) })),
      ],
    )
    .filter(([, guides]) => guides.length > 0);
}

export function renderGuideList(): string {
  const found = listGuides();
  return renderDocumentation(
    'Guides · Purser',
    html`<h1>Guides</h1><p>How the parts work, and how they are run.</p>
${found.map(
  ([title, guides]) => html`<h2>${title}</h2>
<ul class="cards">${guides.map(({ name, title }) => html`<li><a href="/docs/guides/${name}">${title}</a></li>`)}</ul>`,
)}
${found.length === 0 && html`<p>The folder <code>docs/guides</code> was not shipped beside this program.</p>`}`,
  );
}

/** One guide as a page; undefined when there is none of this name. */
export async function renderGuide(name: string): Promise<string | undefined> {
  const text = namePattern.test(name) ? readShipped(join(folder, `${name}.md`)) : undefined;
  if (text === undefined) return undefined;
  return renderDocumentation(
    `${titleOf(text)} · Purser`,
    html`<article>${await renderMarkdown(text)}</article>`,
  );
}

function titleOf(text: string): string {
  return (/^# (.+)$/m.exec(text)?.[1] ?? 'Guide').replaceAll('`', '');
}

/**
 * HTML in the text is shown as text; links to other guides lead to their pages, links to sources
 * and scripts to none.
 */
async function renderMarkdown(text: string): Promise<Html> {
  // Read when the first guide is.
  const { Marked } = await import('marked');
  const marked = new Marked({
    gfm: true,
    renderer: {
      html: ({ text: raw }) => html`${raw}`.html,
      image: ({ text: words }) => html`${words}`.html,
      heading({ tokens, depth, text: words }) {
        return `<h${depth} id="${slugOf(words)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const words: Html = { html: this.parser.parseInline(tokens) };
        const target = targetOf(href);
        return target === undefined ? words.html : html`<a href="${target}">${words}</a>`.html;
      },
    },
  });
  return { html: await marked.parse(text) };
}

function targetOf(href: string): string | undefined {
  if (/^(?:https?:\/\/|#)/.test(href)) return href;
  const [, name, anchor = ''] = /^(?:\.\/)?([a-z0-9-]+)\.md(#.*)?$/.exec(href) ?? [];
  return name === undefined ? undefined : `/docs/guides/${name}${anchor}`;
}

function slugOf(words: string): string {
  return words
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} -]/gu, '')
    .replaceAll(' ', '-');
}
