import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { findShipped } from '../../config/folders.ts';
import { type Html, html, renderDocumentation } from '../pages/html.ts';
import { readShipped } from './shipped.ts';

const folder = 'docs/guides';
const namePattern = /^[a-z0-9-]{1,80}$/;

export interface Guide {
  readonly name: string;
  readonly title: string;
}

/** The guides that were shipped, by title. */
export function listGuides(): Guide[] {
  const found = findShipped(folder);
  if (found === undefined) return [];
  return readdirSync(found)
    .filter((file) => file.endsWith('.md'))
    .map((file) => ({ name: file.slice(0, -3), title: titleOf(readShipped(join(folder, file))!) }))
    .sort((a, b) => a.title.localeCompare(b.title, 'en'));
}

export function renderGuideList(): string {
  const guides = listGuides();
  return renderDocumentation(
    'Guides · Purser',
    html`<h1>Guides</h1><p>How the parts work, and how they are run.</p>
<ul class="cards">${guides.map(({ name, title }) => html`<li><a href="/docs/guides/${name}">${title}</a></li>`)}</ul>
${guides.length === 0 && html`<p>The folder <code>docs/guides</code> was not shipped beside this program.</p>`}`,
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
