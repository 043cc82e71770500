import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

export const callsFile = fileURLToPath(new URL('../src/calls.ts', import.meta.url));

interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
}
interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
}
interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}
interface Call {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/**
 * The client's methods of these operations have other names: those of the operations act to the
 * end.
 */
const names: Readonly<Record<string, string>> = {
  addSigner: 'createSigner',
  removeSigner: 'deleteSigner',
};
/** Operations that are answered in more than one form: the one that this client gets. */
const answers: Readonly<Record<string, string>> = { getWalletBalances: "Schema<'Balances'>" };

/** Every operation of a document. */
export async function readCalls(
  name: 'openapi' | 'vault-openapi',
): Promise<{ document: Document; calls: Call[] }> {
  const document = JSON.parse(
    await readFile(new URL(`../../docs/api/${name}.json`, import.meta.url), 'utf8'),
  ) as Document;
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );
  return { document, calls };
}

/** The client's method of an operation. */
export function methodName(operationId: string): string {
  return names[operationId] ?? operationId;
}

/** A method for each operation of the service, and for those that only the vault has. */
export async function renderCalls(): Promise<string> {
  const [service, vault] = await Promise.all([readCalls('openapi'), readCalls('vault-openapi')]);
  const known = new Set(service.calls.map(({ operation }) => operation.operationId));
  const ofVault = vault.calls.filter(({ operation }) => !known.has(operation.operationId));
  const methods = [
    ...service.calls.map((call) => renderMethod(call, service.document, '')),
    ...ofVault.map((call) => renderMethod(call, vault.document, 'Vault')),
  ];
  return `// Generated from docs/api by \`npm run docs\`: do not edit.
import type { Answer, Body, CallOptions, Query, Schema, Send, SendPages, VaultAnswer, VaultBody } from './call-types.ts';

/** One method for each operation, named as in the reference. */
export function createCalls(send: Send, sendPages: SendPages) {
  return {
${methods.join('\n')}
  };
}
`;
}

function renderMethod(
  { method, path, operation }: Call,
  document: Document,
  kind: '' | 'Vault',
): string {
  const { operationId, summary, requestBody, parameters = [] } = operation;
  const pathNames = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const id = `'${operationId}'`;
  const args = [
    ...pathNames.map((name) => `${name}: string`),
    ...(requestBody
      ? [`body: ${kind}Body<${id}>${requestBody.required === false ? ' = {}' : ''}`]
      : []),
    ...(query.length > 0
      ? [`query: Query<${id}>${query.some(({ required }) => required) ? '' : ' = {}'}`]
      : []),
    'call?: CallOptions',
  ];
  const parts = [
    ...(pathNames.length > 0 ? [`path: { ${pathNames.join(', ')} }`] : []),
    ...(query.length > 0 ? ['query'] : []),
    ...(requestBody ? ['body'] : []),
    ...(kind === 'Vault' ? ["host: 'vault'"] : []),
  ];
  const content = Object.entries(operation.responses).find(([status]) =>
    status.startsWith('2'),
  )?.[1].content;
  const json = content?.['application/json']?.schema;
  const answer =
    answers[operationId] ?? (json ? `${kind}Answer<${id}>` : content ? 'Blob' : 'void');
  const paging = json && pagingOf(json, query, document);
  const request = `'${method}', '${path}', { ${[...parts, ...(answer === 'Blob' ? ["as: 'blob'"] : [])].join(', ')} }`;
  const sent = paging
    ? `sendPages<${answer}, '${paging.items}'>(${request}, '${paging.items}', '${paging.next}', call)`
    : `send<${answer}>(${request}, call)`;
  return `    /** ${summary.replace(/\.$/, '')}. \`${method} ${path}\` */\n    ${methodName(operationId)}: (${args.join(', ')}) => ${sent},`;
}

/**
 * Where a list has its items, and which parameter asks for the next page; undefined for what comes
 * whole.
 */
function pagingOf(
  answer: Schema,
  query: readonly Parameter[],
  document: Document,
): { items: string; next: string } | undefined {
  const next = ['cursor', 'after', 'page'].find((name) =>
    query.some((parameter) => parameter.name === name),
  );
  if (next === undefined) return undefined;
  const schema =
    answer.$ref === undefined
      ? answer
      : document.components.schemas[answer.$ref.split('/').at(-1)!]!;
  if (schema.type === 'array') return { items: '', next };
  const items = Object.entries(schema.properties ?? {}).find(
    ([, { type }]) => type === 'array',
  )?.[0];
  if (items === undefined) throw new Error(`a list without items: ${JSON.stringify(answer)}`);
  return { items, next };
}
