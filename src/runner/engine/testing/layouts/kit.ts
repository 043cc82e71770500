import type { JsonObject } from '../../../../lib/json/json.ts';
import type { RunTask, UserActionKind, UserActionRequest } from '../../../types.ts';
import type { Handler } from '../test-shop-kit.ts';

/** One shop as a family of platforms builds it, and how a run in it must end. */
export interface Layout {
  readonly title: string;
  readonly path: string;
  readonly shop: Handler;
  readonly task?: Partial<RunTask>;
  readonly answer?: (request: UserActionRequest) => JsonObject | 'decline' | undefined;
  /** What the only order holds; a regular expression must match. Absent: nothing is bought. */
  readonly buys?: Readonly<Record<string, string | RegExp>>;
  /** What the order must not hold, or only empty. */
  readonly without?: readonly string[];
  /** What is asked beside the approval. */
  readonly asks?: readonly UserActionKind[];
  readonly fails?: RegExp;
}

export const inPage = (
  title: string,
  body: string,
  { head = '', lang = 'en' }: { readonly head?: string; readonly lang?: string } = {},
) =>
  `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><title>${title}</title>${head}</head><body>${body}</body></html>`;

export const options = (rows: readonly (readonly [value: string, text: string])[], chosen = '') =>
  rows
    .map(
      ([value, text]) =>
        `<option value="${value}"${value === chosen ? ' selected' : ''}>${text}</option>`,
    )
    .join('');

export const thanks = (id: string) =>
  inPage(
    'Order received',
    `<main><h1>Thank you for your order</h1><p>Order number: ${id}</p></main>`,
  );

/** Screen readers' text as themes hide it. */
export const hiddenStyle =
  '<style>.visually-hidden,.screen-reader-text{position:absolute!important;width:1px;height:1px;overflow:hidden;clip:rect(0 0 0 0);clip-path:inset(50%);margin:-1px;padding:0;border:0}</style>';
