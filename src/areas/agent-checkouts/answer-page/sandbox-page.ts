import type { Ctx } from '../../../context.ts';
import { type Html, html, pageHeaders, renderSheet } from '../../../http/pages/html.ts';
import type {
  PublicAnswer,
  PublicRequest,
  PublicRoute,
} from '../../../http/routes/public-routes.ts';
import { ServiceError } from '../../../lib/errors.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import { selectAction } from '../actions/actions-store.ts';
import { respondOnSandboxPage } from '../actions/respond.ts';
import { selectWatched } from '../live/live-store.ts';
import type { ActionRecord } from '../types.ts';
import { answerPageUrl, sandboxAnswerPath } from './url.ts';

/**
 * In development, what the app of the user would be: it shows what a checkout asks and takes the
 * answer. It asks nobody who they are, and is therefore nowhere else.
 */
export const sandboxAnswerRoutes: readonly PublicRoute[] = [
  {
    method: 'GET',
    path: `${sandboxAnswerPath}/:id`,
    handler: (ctx, request) => withCheckout(ctx, request, showQuestion),
  },
  {
    method: 'POST',
    path: `${sandboxAnswerPath}/:id`,
    handler: (ctx, request) => withCheckout(ctx, request, takeForm),
  },
];

interface Asked {
  readonly status: string;
  readonly action?: ActionRecord;
}
type Show = (ctx: Ctx, asked: Asked, request: PublicRequest) => Promise<PublicAnswer>;

const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const fieldLengthMax = 500;

async function withCheckout(ctx: Ctx, request: PublicRequest, show: Show): Promise<PublicAnswer> {
  const id = request.params.id!;
  const isHere =
    answerPageUrl(ctx.config, id) === `${ctx.config.api.baseUrl}${sandboxAnswerPath}/${id}`;
  const watched =
    isHere && ctx.config.environment === 'development' && uuidPattern.test(id)
      ? await selectWatched(ctx.store, id)
      : undefined;
  if (!watched) return page(404, html`<h1>Not found</h1><p>There is no such page.</p>`);
  const { question, status } = watched;
  const action = question && (await selectAction(ctx.store, { checkoutId: id, id: question.id }));
  return show(ctx, { status, ...(action && { action }) }, request);
}

async function showQuestion(_: Ctx, asked: Asked): Promise<PublicAnswer> {
  return page(200, questionBody(asked));
}

async function takeForm(
  ctx: Ctx,
  asked: Asked,
  { params, body }: PublicRequest,
): Promise<PublicAnswer> {
  const form = new URLSearchParams(body.toString('utf8'));
  const { action } = asked;
  if (!action || form.get('actionId') !== action.id)
    return page(409, html`<h1>Too late</h1><p>This is asked no more.</p>${lookAgain}`);
  const values = form.get('decision') === 'decline' ? undefined : readValues(action, form);
  try {
    await respondOnSandboxPage(ctx, {
      id: params.id!,
      actionId: action.id,
      body: values ? { action: 'submit', values } : { action: 'decline' },
    });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return page(400, questionBody(asked, error.message));
  }
  return {
    status: 303,
    headers: {
      location: `${new URL(ctx.config.api.baseUrl).pathname}${sandboxAnswerPath}/${params.id}`,
    },
  };
}

const fieldsOf = ({ responseSchema }: ActionRecord) =>
  Object.entries((responseSchema.properties ?? {}) as Readonly<Record<string, JsonObject>>).filter(
    ([name]) => name !== 'paymentMethodId',
  );

/** What was left empty was not answered. */
function readValues(
  action: ActionRecord,
  form: URLSearchParams,
): Record<string, string | number | boolean> {
  return Object.fromEntries(
    fieldsOf(action).flatMap(([name, { type }]): [string, string | number | boolean][] => {
      const text = (form.get(`values.${name}`) ?? '').slice(0, fieldLengthMax);
      if (text === '') return [];
      if (type === 'boolean') return [[name, true]];
      return [[name, type === 'integer' && /^\d{1,9}$/.test(text) ? Number(text) : text]];
    }),
  );
}

const lookAgain = html`<form method="get"><p><button type="submit">Look again</button></p></form>`;

function questionBody({ status, action }: Asked, mistake?: string): Html {
  return html`
<h1>Agent checkout</h1>
<p class="muted">Sandbox: this page stands for the one of your app (<code>CHECKOUT_PAGE_URL</code>), which knows who its user is.</p>
${
  action
    ? html`<pre>${action.message}</pre>
${mistake !== undefined && html`<p role="alert"><strong>${mistake}</strong></p>`}
<form method="post" autocomplete="off"><input type="hidden" name="actionId" value="${action.id}">
${fieldsOf(action).map(([name, schema]) => fieldHtml(name, schema))}
<p><button type="submit" name="decision" value="submit">${action.request.kind === 'approve-purchase' ? 'Buy it' : 'Go on'}</button>
<button type="submit" name="decision" value="decline">Decline</button></p></form>`
    : html`<p role="status" data-status="${status}">Nothing is asked. The checkout is <strong>${status}</strong>.</p>${lookAgain}`
}`;
}

function fieldHtml(name: string, schema: JsonObject): Html {
  const field = `values.${name}`;
  const title = typeof schema.title === 'string' ? schema.title : name;
  const hint =
    typeof schema.description === 'string' &&
    html` <span class="muted">${schema.description}</span>`;
  if (schema.type === 'boolean')
    return html`<p><label><input type="checkbox" name="${field}" value="true" checked> ${title}</label>${hint}</p>`;
  const options = (schema.oneOf ??
    (schema.enum as readonly unknown[] | undefined)?.map((value) => ({
      const: value,
      title: value,
    }))) as readonly { readonly const: unknown; readonly title: unknown }[] | undefined;
  if (options)
    return html`<p><label>${title}<br><select name="${field}">${options.map((one) => html`<option value="${one.const}">${one.title}</option>`)}</select></label></p>`;
  const type = schema.format === 'password' ? 'password' : 'text';
  return html`<p><label>${title}<br><input type="${type}" name="${field}" maxlength="${fieldLengthMax}"></label></p>`;
}

function page(status: number, body: Html): PublicAnswer {
  return {
    status,
    headers: { ...pageHeaders, 'content-security-policy': formPolicy },
    body: renderSheet('Agent checkout', body),
  };
}

const formPolicy = pageHeaders['content-security-policy']!.replace(
  "form-action 'none'",
  "form-action 'self'",
);
