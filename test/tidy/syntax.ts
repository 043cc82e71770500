import { parseAst } from 'vite';

/**
 * A part of a syntax tree, as the parser gives it (ESTree, with `TS…` nodes). Offsets are those of
 * the text.
 */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

export const childrenOf = (node: Node): Node[] =>
  Object.values(node).flatMap((value) =>
    Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
  );

/** @throws of a text that does not parse */
export const parseSource = (text: string): Node =>
  parseAst(text, { lang: 'ts' }) as unknown as Node;

/** The place of an offset: the first line is 1, the first column too. */
export function placeOf(
  text: string,
  offset: number,
): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}
