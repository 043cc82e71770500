/**
 * Small changes to the TypeScript of production, each of which a test should notice. Made from the
 * syntax tree, without types.
 */
import { childrenOf, type Node, parseSource, placeOf } from '../tidy/syntax.ts';
import { constantsBeside, shuffle, swapOf } from './changes.ts';

export type Sort =
  | 'guard dropped'
  | 'condition negated'
  | 'condition dropped'
  | 'and/or changed'
  | 'boundary n/n+1'
  | 'comparison changed'
  | 'arithmetic changed'
  | 'constant changed'
  | 'boolean changed'
  | 'default dropped'
  | 'filter dropped'
  | 'some/every changed'
  | 'min/max changed'
  | 'await dropped'
  | 'argument swapped'
  | 'call dropped'
  | 'early return'
  | 'throw dropped'
  | 'rethrow swallowed';

export interface Mutant {
  readonly file: string;
  readonly sort: Sort;
  readonly line: number;
  readonly column: number;
  readonly start: number;
  readonly end: number;
  readonly before: string;
  readonly after: string;
}

/** The text with the change. */
export const applyMutant = (text: string, { start, end, after }: Mutant): string =>
  text.slice(0, start) + after + text.slice(end);

/** What happens in it is of no consequence to anybody but a reader of the log. */
const isLog = (callee: Node | undefined, text: string) =>
  callee !== undefined &&
  /\blog(?:ger)?\.(?:debug|info|warn|error|fatal|child)$/.test(
    text.slice(callee.start, callee.end),
  );

const opposites: Readonly<Record<string, string>> = {
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
};
const leaves = new Set([
  'ThrowStatement',
  'ReturnStatement',
  'ContinueStatement',
  'BreakStatement',
]);
const wrappers = new Set(['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression']);

/**
 * Every mutant of a file, in the order of the text. Types, imports and what only goes to the log
 * are left alone.
 */
export function findMutants(file: string, text: string): Mutant[] {
  const found: Mutant[] = [];
  const textOf = (node: Node) => text.slice(node.start, node.end);
  const add = (sort: Sort, node: { start: number; end: number }, after: string) => {
    const before = text.slice(node.start, node.end);
    if (before !== after)
      found.push({
        file,
        sort,
        ...placeOf(text, node.start),
        start: node.start,
        end: node.end,
        before,
        after,
      });
  };

  walk(parseSource(text), []);
  return found.sort((a, b) => a.start - b.start || a.end - b.end);

  function walk(node: Node, parents: readonly Node[]): void {
    if (
      node.type === 'ImportDeclaration' ||
      (node.type.startsWith('TS') && !wrappers.has(node.type))
    )
      return;
    if (node.type === 'CallExpression' && isLog(node.callee as Node, text)) return;
    mutate(node, parents);
    for (const child of childrenOf(node)) walk(child, [...parents, node]);
  }

  function mutate(node: Node, parents: readonly Node[]): void {
    switch (node.type) {
      case 'IfStatement':
        if (node.alternate === null && leaves.has(lastOf(node.consequent as Node).type))
          add('guard dropped', node, '{}');
        else add('condition negated', node.test as Node, `!(${textOf(node.test as Node)})`);
        return;
      case 'ConditionalExpression':
        return add('condition negated', node.test as Node, `!(${textOf(node.test as Node)})`);
      case 'LogicalExpression':
        return mutateLogical(node);
      case 'BinaryExpression':
        return mutateBinary(node);
      case 'AssignmentExpression':
        for (const sign of swapOf[node.operator as string] ?? [])
          swapSign(node, sign, 'arithmetic changed');
        return;
      case 'Literal':
        return mutateLiteral(node, parents.at(-1));
      case 'AwaitExpression':
        if (!isWaitedFor(parents)) add('await dropped', node, textOf(node.argument as Node));
        return;
      case 'CallExpression':
        return mutateCall(node);
      case 'ExpressionStatement':
        if (
          isCall(node.expression as Node) &&
          !isLog((node.expression as Node).callee as Node | undefined, text)
        )
          add('call dropped', node, '{}');
        return;
      case 'ThrowStatement':
        return add(
          parents.some(({ type }) => type === 'CatchClause')
            ? 'rethrow swallowed'
            : 'throw dropped',
          node,
          '{}',
        );
      case 'BlockStatement':
        if (
          /Function/.test(parents.at(-1)?.type ?? '') &&
          !givesBack(node) &&
          (node.body as Node[]).length > 0
        )
          add('early return', { start: node.start, end: node.start + 1 }, '{ return;');
    }
  }

  function mutateLogical(node: Node): void {
    const [left, right] = [node.left as Node, node.right as Node];
    if (node.operator === '??') return add('default dropped', node, textOf(left));
    for (const sign of swapOf[node.operator as string] ?? [])
      swapSign(node, sign, 'and/or changed');
    add('condition dropped', node, textOf(left));
    add('condition dropped', node, textOf(right));
  }

  function mutateBinary(node: Node): void {
    const sign = node.operator as string;
    if (sign === '+' && [node.left, node.right].some((side) => isText(side as Node))) return;
    for (const other of swapOf[sign] ?? []) {
      const isBoundary = /^[<>]=?$/.test(sign) && sign[0] === other[0];
      swapSign(
        node,
        other,
        isBoundary
          ? 'boundary n/n+1'
          : /^[<>=!]/.test(sign) && !/<<|>>/.test(sign)
            ? 'comparison changed'
            : 'arithmetic changed',
      );
    }
  }

  /** The sign between both sides, wherever comments and line ends stand. */
  function swapSign(node: Node, after: string, sort: Sort): void {
    const from = (node.left as Node).end;
    const at = text.indexOf(node.operator as string, from);
    add(sort, { start: at, end: at + (node.operator as string).length }, after);
  }

  function mutateLiteral(node: Node, parent: Node | undefined): void {
    const raw = textOf(node);
    if (typeof node.value === 'boolean') return add('boolean changed', node, String(!node.value));
    if (parent?.type === 'MemberExpression' || !/^\d[\d_]*n?$/.test(raw)) return;
    for (const after of constantsBeside(raw.replace('n', '')))
      add('constant changed', node, raw.endsWith('n') ? `${after}n` : after);
  }

  function mutateCall(node: Node): void {
    const given = node.arguments as Node[];
    for (const [index, argument] of given.slice(0, -1).entries()) {
      const next = given[index + 1]!;
      if (
        ![argument, next].every(({ type }) => type === 'Identifier' || type === 'MemberExpression')
      )
        continue;
      const between = text.slice(argument.end, next.start);
      add(
        'argument swapped',
        { start: argument.start, end: next.end },
        `${textOf(next)}${between}${textOf(argument)}`,
      );
    }
    const callee = node.callee as Node;
    if (callee.type !== 'MemberExpression' || callee.computed) return;
    const [object, property] = [callee.object as Node, callee.property as Node];
    const name = property.name as string;
    if (name === 'filter') add('filter dropped', node, textOf(object));
    if (name === 'some' || name === 'every') add('some/every changed', property, opposites[name]!);
    if ((name === 'min' || name === 'max') && textOf(object) === 'Math')
      add('min/max changed', property, opposites[name]!);
  }
}

/** `return await` outside of a `try`: whoever called waits for the same promise. */
const isWaitedFor = (parents: readonly Node[]): boolean =>
  ['ReturnStatement', 'ArrowFunctionExpression'].includes(parents.at(-1)?.type ?? '') &&
  !parents.some(({ type }) => type === 'TryStatement');

const isCall = (node: Node): boolean =>
  node.type === 'CallExpression' ||
  (node.type === 'AwaitExpression' && isCall(node.argument as Node));

const isText = (node: Node): boolean =>
  node.type === 'TemplateLiteral' ||
  typeof node.value === 'string' ||
  (node.type === 'BinaryExpression' &&
    [node.left, node.right].some((side) => isText(side as Node)));

const lastOf = (node: Node): Node =>
  node.type === 'BlockStatement' ? ((node.body as Node[]).at(-1) ?? node) : node;

/** Whether a function has a value: its own returns, not those of functions inside. */
function givesBack(node: Node): boolean {
  if (node.type === 'ReturnStatement') return node.argument !== null;
  return childrenOf(node).some((child) => !/Function/.test(child.type) && givesBack(child));
}

/**
 * The order in which mutants are taken, the same for the same seed and sources: in turn one of each
 * sort, as long as there are any, so that the rare sorts (a lost await, a swallowed rethrow) are
 * asked about as often as the common ones.
 */
export function orderMutants(all: readonly Mutant[], seed: number): Mutant[] {
  const bySort = new Map<Sort, Mutant[]>();
  for (const mutant of shuffle(all, seed)) {
    const queue = bySort.get(mutant.sort) ?? [];
    queue.push(mutant);
    bySort.set(mutant.sort, queue);
  }
  const queues = shuffle(
    [...bySort].sort(([a], [b]) => a.localeCompare(b)),
    seed,
  ).map(([, mutants]) => mutants);
  const turns = Math.max(0, ...queues.map(({ length }) => length));
  return Array.from({ length: turns }, (_, turn) =>
    queues.flatMap((queue) => queue.slice(turn, turn + 1)),
  ).flat();
}
