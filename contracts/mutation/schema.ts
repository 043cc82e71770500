/**
 * All mutants in one compilation ("mutant schemata"): each change stands beside the original, behind
 * a look at the address that fees go to, which a test chain can change in no time and for 2 gas. So
 * the compiler runs once, not once per mutant.
 */
import { astNodes, type Node, spanOf } from './ast.ts';
import type { Mutant } from './mutants.ts';

/** What the fee recipient is when no mutant is on; mutant n is on at `switchBase + n`. */
export const switchBase = 0xc0ffee0000000;

export interface SchemaMutant {
  /** Counted from 1. */
  readonly number: number;
  readonly mutant: Mutant;
}

/** How often a mutant was moved to the next larger piece of code, by number. */
export type Levels = ReadonlyMap<number, number>;

export interface Schema {
  readonly sources: ReadonlyMap<string, string>;
  /** Numbers of mutants that have no place in it. */
  readonly left: ReadonlySet<number>;
}

interface Edit {
  readonly start: number;
  readonly end: number;
  /** @param inner the piece with the edits inside it */
  readonly wrap: (inner: string) => string;
}

interface Change {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const expressions =
  /^(?:BinaryOperation|UnaryOperation|FunctionCall|Identifier|MemberAccess|IndexAccess|Assignment|Conditional|TupleExpression|Literal)$/;
const statements = /^(?:ExpressionStatement|Return|RevertStatement|EmitStatement|IfStatement)$/;
const noValues =
  /^(?:int_const|rational_const|literal_string|tuple|function|type\(|bytes calldata slice)/;

/** @param asts of the sources as they are, by file */
export function buildSchema(
  originals: ReadonlyMap<string, string>,
  asts: ReadonlyMap<string, Node>,
  mutants: readonly SchemaMutant[],
  levels: Levels,
): Schema {
  const left = new Set<number>();
  const functions = constantsAsFunctions(asts);
  const sources = [...originals].map(([file, original]) => {
    const ast = asts.get(file);
    if (ast === undefined) return [file, original] as const;
    const nodes = astNodes(ast);
    const edits: Edit[] = [];
    const constants = new Map<Node, { number: number; text: string }[]>();
    for (const { number, mutant } of mutants.filter((one) => one.mutant.file === file)) {
      const change = changeOf(original, mutant);
      const holder = nodes.find(
        (node) => node.constant === true && node.value && holds(spanOf(node), change),
      );
      if (holder !== undefined) {
        if (!functions.has(holder.id!)) left.add(number);
        else {
          const text = applied(original, spanOf(holder.value as Node), change);
          constants.set(holder, [...(constants.get(holder) ?? []), { number, text }]);
        }
        continue;
      }
      const edit = isOfDeployment(nodes, change)
        ? undefined
        : editOf(original, nodes, { number, mutant }, change, levels.get(number) ?? 0);
      if (edit === undefined) left.add(number);
      else edits.push(edit);
    }
    for (const node of nodes) {
      if (node.constant === true && functions.has(node.id!))
        edits.push(functionFor(node, constants.get(node) ?? []));
    }
    return [file, adapt(render(original, edits), new Set(functions.values()))] as const;
  });
  return { sources: new Map(sources), left };
}

/** What of the file the mutant replaces. */
function changeOf(original: string, { line, source }: Mutant): Change {
  const lines = original.split('\n');
  const start = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
  const before = lines[line - 1]!.replace(/\s*\/\/.*$/, '');
  const after = source.split('\n')[line - 1]!;
  let head = 0;
  while (head < Math.min(before.length, after.length) && before[head] === after[head]) head++;
  let tail = 0;
  while (
    tail < Math.min(before.length, after.length) - head &&
    before.at(-1 - tail) === after.at(-1 - tail)
  )
    tail++;
  return {
    start: start + head,
    end: start + before.length - tail,
    text: after.slice(head, after.length - tail),
  };
}

/** Whether it runs at deployment only, when no mutant is on yet. */
function isOfDeployment(nodes: readonly Node[], change: Change): boolean {
  return nodes.some(
    (node) =>
      (node.kind === 'constructor' || node.mutability === 'immutable') &&
      holds(spanOf(node), change),
  );
}

function holds(outer: { start: number; end: number }, inner: { start: number; end: number }) {
  return outer.start <= inner.start && inner.end <= outer.end;
}

function applied(original: string, { start, end }: { start: number; end: number }, change: Change) {
  return original.slice(start, change.start) + change.text + original.slice(change.end, end);
}

function editOf(
  original: string,
  nodes: readonly Node[],
  { number, mutant }: SchemaMutant,
  change: Change,
  level: number,
): Edit | undefined {
  const around = nodes
    .filter((node) => holds(spanOf(node), change))
    .sort((a, b) => length(a) - length(b));
  const isOn = `block.coinbase == address(${switchBase + number})`;
  if (around.some(({ nodeType }) => nodeType.startsWith('Yul')))
    return level === 0 ? yulEdit(original, around, number, change) : undefined;
  if (mutant.id.includes(':statement:')) {
    const statement = nodes.find(
      (node) => node.nodeType === 'ExpressionStatement' && holds(change, spanOf(node)),
    );
    if (level > 0 || statement === undefined) return undefined;
    return { ...spanOf(statement), wrap: (inner) => `if (!(${isOn})) ${inner}` };
  }
  const isTarget = (node: Node) =>
    nodes.some((parent) => parent.leftHandSide === node || isCallee(parent, node));
  const values = around.filter(
    (node) =>
      expressions.test(node.nodeType) &&
      !noValues.test(node.typeDescriptions?.typeString ?? 'tuple') &&
      !isTarget(node),
  );
  const value = values[level];
  if (value !== undefined) {
    const span = spanOf(value);
    const other = applied(original, span, change);
    return { ...span, wrap: (inner) => `(${isOn} ? ${other} : ${inner})` };
  }
  const whole = around.filter((node) => statements.test(node.nodeType))[level - values.length];
  if (whole === undefined) return undefined;
  const span = spanOf(whole);
  const other = applied(original, span, change);
  const ended = /[;}]$/.test(other) ? other : `${other};`;
  return { ...span, wrap: (inner) => `if (${isOn}) { ${ended} } else ${inner}` };
}

function isCallee(parent: Node, node: Node): boolean {
  return parent.nodeType === 'FunctionCall' && parent.expression === node;
}

function length(node: Node): number {
  const { start, end } = spanOf(node);
  return end - start;
}

/** Numbers are chosen by their bits; what calls is written twice, each in its own case. */
function yulEdit(
  original: string,
  around: readonly Node[],
  number: number,
  change: Change,
): Edit | undefined {
  const isOn = `eq(coinbase(), ${switchBase + number})`;
  const smallest = around[0];
  if (smallest?.nodeType === 'YulLiteral') {
    const span = spanOf(smallest);
    const before = original.slice(span.start, span.end);
    const bits = BigInt(before) ^ BigInt(applied(original, span, change));
    return { ...span, wrap: (inner) => `xor(${inner}, mul(${isOn}, ${bits}))` };
  }
  const condition = around.find((node) => node.nodeType === 'YulIf')?.condition as Node | undefined;
  const declaration = around.find(({ nodeType }) =>
    /^Yul(?:VariableDeclaration|Assignment)$/.test(nodeType),
  );
  const negated = around.find(({ nodeType }) => nodeType === 'YulFunctionCall');
  if (negated === undefined || (condition === undefined && declaration === undefined))
    return undefined;
  // iszero(x) is not(x) with all bits the other way but for x of no bits or one: both from one x.
  const span = spanOf(negated);
  const argument = original.slice(span.start + 'iszero('.length, span.end - 1);
  if (/\bcall|staticcall/.test(argument)) {
    if (condition === undefined) return undefined;
    // `if not(call)`: always, since a call answers 0 or 1.
    return { ...span, wrap: (inner) => `or(${inner}, ${isOn})` };
  }
  return {
    ...span,
    wrap: (inner) => `xor(${inner}, mul(${isOn}, xor(iszero(${argument}), not(${argument}))))`,
  };
}

/** Names by id of constants that assembly does not use: as functions they can differ by mutant. */
function constantsAsFunctions(asts: ReadonlyMap<string, Node>): ReadonlyMap<number, string> {
  const nodes = [...asts.values()].flatMap((ast) => astNodes(ast));
  const inAssembly = new Set(
    nodes.flatMap((node) =>
      ((node.externalReferences ?? []) as { declaration: number }[]).map(
        ({ declaration }) => declaration,
      ),
    ),
  );
  return new Map(
    nodes
      .filter(
        (node) =>
          node.constant === true &&
          node.visibility !== 'public' &&
          (node.typeDescriptions?.typeString ?? '').startsWith('uint') &&
          !inAssembly.has(node.id!),
      )
      .map(({ id, name }) => [id!, String(name)]),
  );
}

function functionFor(node: Node, changes: readonly { number: number; text: string }[]): Edit {
  const type = node.typeDescriptions!.typeString;
  const scope = node.stateVariable === true ? 'private view' : 'view';
  const chosen = changes
    .map(({ number, text }) => `block.coinbase == address(${switchBase + number}) ? ${text} : `)
    .join('');
  const { start, end } = spanOf(node);
  return {
    start,
    // The semicolon.
    end: end + 1,
    wrap: (inner) => {
      const value = inner.slice(inner.indexOf('=') + 1, -1);
      return `function ${String(node.name)}() ${scope} returns (${type}) { return ${chosen}${value}; }`;
    },
  };
}

/** Calls what were constants; says of every function that it looks at the chain, and of all assembly that it may be moved. */
function adapt(text: string, functions: ReadonlySet<string>): string {
  const names = new RegExp(`\\b(${[...functions].join('|')})\\b(?!\\()`, 'g');
  return text
    .split('\n')
    .map((line) =>
      /^\s*(?:\/\/|import)/.test(line)
        ? line
        : line
            .replace(names, '$1()')
            .replaceAll(/\bpure\b/g, 'view')
            .replace('assembly {', 'assembly ("memory-safe") {'),
    )
    .join('\n');
}

/** Larger pieces around smaller ones; of the same piece, each around the one before. */
function render(original: string, edits: readonly Edit[]): string {
  const ordered = edits.toSorted((a, b) => a.start - b.start || b.end - a.end);
  const renderSpan = (start: number, end: number, inside: readonly Edit[]): string => {
    let text = '';
    let at = start;
    let index = 0;
    while (index < inside.length) {
      const { start: from, end: to } = inside[index]!;
      const group: Edit[] = [];
      while (index < inside.length && inside[index]!.start < to) group.push(inside[index++]!);
      const same = group.filter((edit) => edit.start === from && edit.end === to);
      const smaller = group.filter((edit) => !same.includes(edit));
      text += original.slice(at, from);
      text += same.reduce((inner, edit) => edit.wrap(inner), renderSpan(from, to, smaller));
      at = to;
    }
    return text + original.slice(at, end);
  };
  return renderSpan(0, original.length, ordered);
}
