import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { importsOf, root, type SourceFile } from './source-files.ts';
import { childrenOf, type Node, parseSource } from './syntax.ts';

/** What stands in a `${…}` of an SQL text. */
export interface Interpolation {
  readonly path: string;
  readonly code: string;
}

/** Ours is in lower case; what begins with a capital is a sentence for people. */
const isSql = (text: string) =>
  !/^\s*[A-Z]/.test(text) &&
  (/^\s*(select|insert into|update|delete from|with|create|grant|revoke|alter|drop|truncate|lock|listen|notify|set local)\s/i.test(
    text,
  ) ||
    /\b(select\b[\s\S]*\bfrom|insert into|update \S+\s+set|delete from|where [a-z_.§]+ (?:=|in|is|<|>)|order by |returning |join \S+ on|(?:and|or) [a-z_.]+ (?:=|in|is|<|>) )/.test(
      text,
    ));

/**
 * The parts of SQL texts that are not fixed by the program's own text alone: neither a literal, nor
 * a `const` made of literals, nor chosen or put together from such by conditions, tables, lists and
 * functions of them.
 */
export function openInterpolations(files: readonly SourceFile[]): Interpolation[] {
  const read = new Map<string, Module>();
  const moduleAt = (path: string) => {
    const file = files.find((one) => one.path === path);
    if (!file) return undefined;
    let known = read.get(path);
    if (!known) {
      known = readModule(file);
      read.set(path, known);
    }
    return known;
  };
  return files.flatMap((file) => {
    if (!file.text.includes('${')) return [];
    const module = moduleAt(file.path)!;
    return templatesOf(module.program).flatMap(({ node, names }) =>
      isSql(
        (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('§'),
      )
        ? (node.expressions as Node[])
            .filter((expression) => !isFixed(expression, { module, names, moduleAt, depth: 0 }))
            .map((expression) => ({
              path: file.path,
              code: file.text.slice(expression.start, expression.end).replaceAll(/\s+/g, ' '),
            }))
        : [],
    );
  });
}

type Names = ReadonlyMap<string, Node | 'fixed' | 'open'>;

interface Module {
  readonly program: Node;
  readonly names: Names;
  /** The file that a name is imported from. */
  readonly imported: ReadonlyMap<string, { readonly path: string; readonly name: string }>;
}

interface Place {
  readonly module: Module;
  readonly names: Names;
  readonly moduleAt: (path: string) => Module | undefined;
  readonly depth: number;
}

function readModule(file: SourceFile): Module {
  const program = parseSource(file.text);
  const imported = new Map<string, { path: string; name: string }>();
  for (const node of program.body as Node[]) {
    if (node.type !== 'ImportDeclaration') continue;
    const from = (node.source as { value: string }).value;
    const [path] = importsOf({ ...file, text: `import '${from}'` });
    if (!path || !existsSync(join(root, path))) continue;
    for (const one of node.specifiers as { local: { name: string }; imported?: { name: string } }[])
      imported.set(one.local.name, { path, name: one.imported?.name ?? 'default' });
  }
  return { program, names: declared(program.body as Node[]), imported };
}

/** Names that a list of statements declares. */
function declared(statements: readonly Node[]): Map<string, Node | 'open'> {
  const names = new Map<string, Node | 'open'>();
  for (const outer of statements) {
    const node =
      (outer.type === 'ExportNamedDeclaration' && (outer.declaration as Node | null)) || outer;
    if (node.type === 'FunctionDeclaration') names.set((node.id as { name: string }).name, node);
    if (node.type !== 'VariableDeclaration') continue;
    for (const one of node.declarations as { id: Node; init: Node | null }[])
      for (const name of namesIn(one.id))
        names.set(
          name,
          node.kind === 'const' && one.init && one.id.type === 'Identifier' ? one.init : 'open',
        );
  }
  return names;
}

const namesIn = (pattern: Node): string[] =>
  pattern.type === 'Identifier' ? [pattern.name as string] : childrenOf(pattern).flatMap(namesIn);

/** Every template with the names that are known where it stands. */
function templatesOf(program: Node): { readonly node: Node; readonly names: Names }[] {
  const found: { node: Node; names: Names }[] = [];
  const walk = (node: Node, names: Names) => {
    let here = names;
    if (/Function/.test(node.type))
      here = new Map([
        ...here,
        ...(node.params as Node[]).flatMap(namesIn).map((name) => [name, 'open'] as const),
      ]);
    if (node.type === 'BlockStatement' || node.type === 'Program')
      here = new Map([...here, ...declared(node.body as Node[])]);
    if (/^For(?:Of|In)?Statement$/.test(node.type)) {
      const left = (node.left ?? node.init) as Node | null;
      // Each item of a fixed list is fixed.
      const items = node.type === 'ForOfStatement' ? (node.right as Node) : 'open';
      if (left?.type === 'VariableDeclaration')
        here = new Map([
          ...here,
          ...(left.declarations as { id: Node }[])
            .flatMap(({ id }) => namesIn(id))
            .map((name) => [name, items] as const),
        ]);
    }
    if (node.type === 'Property' && (node.key as { name?: string }).name === 'message') return;
    if (node.type === 'TemplateLiteral' && (node.expressions as Node[]).length > 0)
      found.push({ node, names: here });
    for (const child of childrenOf(node)) walk(child, here);
  };
  walk(program, new Map());
  return found;
}

const depthMax = 30;

/** Whether every value that an expression can have stands in the program's text. */
function isFixed(node: Node | null | undefined, place: Place): boolean {
  if (!node || place.depth > depthMax) return false;
  const deeper = { ...place, depth: place.depth + 1 };
  const all = (nodes: unknown) =>
    (nodes as (Node | null)[]).every((one) => one !== null && isFixed(one, deeper));
  switch (node.type) {
    case 'Literal':
      return true;
    case 'TemplateLiteral':
      return all(node.expressions);
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
    case 'ParenthesizedExpression':
    case 'ChainExpression':
      return isFixed(node.expression as Node, deeper);
    case 'UnaryExpression':
      return isFixed(node.argument as Node, deeper);
    case 'ConditionalExpression':
      return all([node.consequent, node.alternate]);
    case 'BinaryExpression':
    case 'LogicalExpression':
      return all([node.left, node.right]);
    case 'ArrayExpression':
      return all(node.elements);
    case 'SpreadElement':
      return isFixed(node.argument as Node, deeper);
    case 'ObjectExpression':
      return (node.properties as Node[]).every((one) =>
        isFixed((one.value ?? one.argument) as Node, deeper),
      );
    case 'Identifier':
      return node.name === 'undefined' || isFixedName(node.name as string, deeper);
    case 'MemberExpression':
      // Whatever the key: what it finds is one of the values.
      return isFixed(node.object as Node, deeper);
    case 'CallExpression':
      return isFixedCall(node, deeper);
    default:
      return false;
  }
}

function isFixedName(name: string, place: Place): boolean {
  const known = place.names.get(name);
  if (known === 'fixed') return true;
  if (known === 'open') return false;
  if (known) return isFixed(known, place);
  const from = place.module.imported.get(name);
  const module = from && place.moduleAt(from.path);
  const value = module?.names.get(from!.name);
  return (
    module !== undefined &&
    value !== undefined &&
    typeof value === 'object' &&
    isFixed(value, { ...place, module, names: module.names })
  );
}

/** A method of a fixed value, or a function of the file, with fixed arguments. */
function isFixedCall(node: Node, place: Place): boolean {
  const callee = node.callee as Node;
  const given = node.arguments as Node[];
  const isArgument = (one: Node) =>
    one.type === 'ArrowFunctionExpression' ? returnsFixed(one, place) : isFixed(one, place);
  if (!given.every(isArgument)) return false;
  if (callee.type === 'MemberExpression') {
    const object = callee.object as Node;
    return isFixed(object, place) || (object.type === 'Identifier' && object.name === 'Object');
  }
  const called = callee.type === 'Identifier' ? place.names.get(callee.name as string) : undefined;
  return typeof called === 'object' && /Function/.test(called.type) && returnsFixed(called, place);
}

function returnsFixed(made: Node, place: Place): boolean {
  const names = new Map([
    ...place.names,
    ...(made.params as Node[]).flatMap(namesIn).map((name) => [name, 'fixed'] as const),
  ]);
  const body = made.body as Node;
  if (body.type !== 'BlockStatement') return isFixed(body, { ...place, names });
  const inside = { ...place, names: new Map([...names, ...declared(body.body as Node[])]) };
  return (body.body as Node[]).every(
    (one) => one.type !== 'ReturnStatement' || isFixed(one.argument as Node, inside),
  );
}
