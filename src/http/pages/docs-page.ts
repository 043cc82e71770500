import { type Html, html, renderDocumentation } from './html.ts';
import type { OpenApiDocument } from './openapi.ts';

type Schema = Readonly<Record<string, unknown>>;
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
}
interface Content {
  readonly content?: { readonly 'application/json'?: { readonly schema?: Schema } };
}
interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content & { readonly description: string }>>;
}
interface Entry {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** Nesting shown in place; deeper objects and repeated ones are named only. */
const depthMax = 6;

/** The OpenAPI document as one page to read, without a script. */
export function renderDocsPage(document: OpenApiDocument): string {
  const entries = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item as Record<string, Operation>).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );
  const tags = (document.tags ?? []).map((tag) => tag.name);
  const inTag = (tag: string) => entries.filter((entry) => entry.operation.tags.includes(tag));
  const components = (document.components?.schemas ?? {}) as Readonly<Record<string, Schema>>;
  const server = document.servers?.[0]?.url ?? '/api';
  return renderDocumentation(
    'Purser API',
    html`
<h1>Purser API</h1>
${paragraphs(document.info.description ?? '')}
<p>Base address: <code>${server}</code>. The same as OpenAPI 3.1 for programs: <a href="/openapi.json">/openapi.json</a>.</p>
<pre>curl ${server}/2025-06-09/wallets/&lt;walletLocator&gt; -H "X-API-KEY: sk_…"</pre>
<nav aria-label="Operations">${tags.map((tag) => html`<section><h3>${tag}</h3>${inTag(tag).map(renderLink)}</section>`)}</nav>
${tags.map((tag) => html`<h2>${tag}</h2>${inTag(tag).map((entry) => renderOperation(entry, components))}`)}`,
  );
}

const renderLink = ({ operation }: Entry) =>
  html`<a href="#${operation.operationId}">${operation.summary}</a>`;

function renderOperation(
  { method, path, operation }: Entry,
  components: Readonly<Record<string, Schema>>,
): Html {
  const body = operation.requestBody?.content?.['application/json']?.schema;
  return html`<details><summary><span class="method">${method}</span><code>${path}</code> ${operation.summary}</summary>
<div id="${operation.operationId}"></div>
${paragraphs(operation.description)}
${operation.parameters && operation.parameters.length > 0 && html`<h3>Parameters</h3><table>${operation.parameters.map(renderParameter)}</table>`}
${body && html`<h3>Body</h3><pre>${outline(body, components)}</pre>`}
<h3>Answers</h3>${Object.entries(operation.responses).map(([status, answer]) => renderAnswer(status, answer, components))}
</details>`;
}

function renderParameter(parameter: Parameter): Html {
  const need = parameter.required ? 'required' : 'optional';
  return html`<tr><td><code class="whole">${parameter.name}</code><br><span class="muted">${parameter.in}, ${need}</span></td><td>${inline(parameter.description ?? typeWord(parameter.schema ?? {}))}</td></tr>`;
}

function renderAnswer(
  status: string,
  answer: Content & { readonly description: string },
  components: Readonly<Record<string, Schema>>,
): Html {
  const schema = answer.content?.['application/json']?.schema;
  if (Number(status) >= 400)
    return html`<details><summary>${status}</summary>${paragraphs(answer.description)}</details>`;
  return html`<p><code>${status}</code> ${inline(answer.description)}</p>${schema && html`<pre>${outline(schema, components)}</pre>`}`;
}

/** A schema as indented lines: name, `?` when optional, type, description. */
function outline(schema: Schema, components: Readonly<Record<string, Schema>>): string {
  return describe(schema, { components, depth: 0, above: [] }).join('\n');
}

interface Place {
  readonly components: Readonly<Record<string, Schema>>;
  readonly depth: number;
  /** Names of the components around this place, against endless nesting. */
  readonly above: readonly string[];
}

function describe(schema: Schema, place: Place): string[] {
  const name = refName(schema);
  if (name !== undefined) {
    const target = place.components[name];
    if (!target || place.above.includes(name)) return [name];
    return describe(target, { ...place, above: [...place.above, name] });
  }
  const choices = (schema.oneOf ?? schema.anyOf) as readonly Schema[] | undefined;
  if (choices)
    return choices.flatMap((choice, index) => [
      ...(index > 0 ? ['or'] : []),
      ...describe(choice, place),
    ]);
  if (schema.type === 'array') {
    const [first = 'anything', ...rest] = describe((schema.items ?? {}) as Schema, place);
    return [`list of ${first}`, ...rest];
  }
  const properties = schema.properties as Readonly<Record<string, Schema>> | undefined;
  if (!properties) return [typeWord(schema)];
  if (place.depth >= depthMax) return ['object'];
  const required = new Set((schema.required ?? []) as readonly string[]);
  return [
    'object',
    ...Object.entries(properties).flatMap(([field, value]) =>
      describeField(field, value, { isRequired: required.has(field), place }),
    ),
  ];
}

function describeField(
  field: string,
  schema: Schema,
  options: { isRequired: boolean; place: Place },
): string[] {
  const { isRequired, place } = options;
  const [first = '', ...rest] = describe(schema, { ...place, depth: place.depth + 1 });
  const note = typeof schema.description === 'string' ? `  · ${schema.description}` : '';
  return [
    `  ${field}${isRequired ? '' : '?'}: ${first}${note}`,
    ...rest.map((line) => `  ${line}`),
  ];
}

function typeWord(schema: Schema): string {
  const name = refName(schema);
  if (name !== undefined) return name;
  if ('const' in schema) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum))
    return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const word = Array.isArray(schema.type)
    ? schema.type.join(' | ')
    : typeof schema.type === 'string'
      ? schema.type
      : 'anything';
  return typeof schema.format === 'string' ? `${word} (${schema.format})` : word;
}

function refName(schema: Schema): string | undefined {
  return typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined;
}

function paragraphs(markdown: string): Html[] {
  return markdown
    .split(/\n\n+/)
    .filter((text) => text !== '')
    .map((text) => html`<p>${inline(text)}</p>`);
}

/** Markdown as far as these texts use it: `code`, **strong words** and links of this host. */
function inline(text: string): Html[] {
  return text.split(/(`[^`]*`|\*\*[^*]+\*\*|\[[^\]]+\]\(\/[\w/.-]*\))/).map((part, index) => {
    if (index % 2 === 0) return html`${part}`;
    if (part.startsWith('**')) return html`<strong>${part.slice(2, -2)}</strong>`;
    const [, words, path] = /^\[(.+)\]\((.+)\)$/.exec(part) ?? [];
    return words === undefined
      ? html`<code>${part.slice(1, -1)}</code>`
      : html`<a href="${path}">${words}</a>`;
  });
}
