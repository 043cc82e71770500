/** The syntax tree that the compiler writes of a source. */
export interface Node {
  readonly id?: number;
  readonly nodeType: string;
  /** start:length:file, in bytes. */
  readonly src: string;
  readonly typeDescriptions?: { readonly typeString?: string };
  readonly [field: string]: unknown;
}

/** The node and all below it. */
export function astNodes(node: Node): Node[] {
  const children = Object.values(node)
    .flat()
    .filter((value): value is Node => typeof (value as Node | null)?.nodeType === 'string');
  return [node, ...children.flatMap((child) => astNodes(child))];
}

export function spanOf(node: Node): { readonly start: number; readonly end: number } {
  const [start = 0, length = 0] = node.src.split(':').map(Number);
  return { start, end: start + length };
}
