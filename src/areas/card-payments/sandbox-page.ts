import type { Ctx } from '../../context.ts';
import { type Html, html, pageHeaders, renderSheet } from '../../http/pages/html.ts';
import type { PublicAnswer, PublicRequest, PublicRoute } from '../../http/routes/public-routes.ts';
import type { CardPayment, CardSandbox, SandboxCardPage } from '../../providers/card/card.ts';
import { formatMoney, sandboxCardPath, sandboxCards } from '../../providers/card/index.ts';
import type { CardEventHandler } from './callbacks.ts';
import { deliverSandboxCallbacks } from './sandbox-run.ts';

const fieldLengthMax = 40;
const title = 'Card payment';

/** The page on which an acquirer would take a card: only where the sandbox stands in for one. */
export function createSandboxCardRoutes(handle: CardEventHandler): readonly PublicRoute[] {
  const path = `${sandboxCardPath}/:paymentReference`;
  return [
    { method: 'GET', path, handler: (ctx, request) => showPayment(ctx, request) },
    { method: 'POST', path, handler: (ctx, request) => takeInput(ctx, request, handle) },
  ];
}

/** Who asks for which payment; the address holds both. */
function readAsked({ params, query }: PublicRequest) {
  return {
    reference: params.paymentReference!,
    clientSecret: (query.get('key') ?? '').slice(0, 200),
  };
}

async function showPayment(ctx: Ctx, request: PublicRequest): Promise<PublicAnswer> {
  const sandbox = ctx.providers.card?.sandbox;
  if (!sandbox) return page(404, 'Not found', html`<p>There is no such page.</p>`);
  const asked = readAsked(request);
  const shown = await sandbox.readPage(asked);
  return shown ? page(200, title, paymentBody(shown, asked.clientSecret)) : unknownLink();
}

async function takeInput(
  ctx: Ctx,
  request: PublicRequest,
  handle: CardEventHandler,
): Promise<PublicAnswer> {
  const sandbox = ctx.providers.card?.sandbox;
  if (!sandbox) return page(404, 'Not found', html`<p>There is no such page.</p>`);
  const asked = readAsked(request);
  if (!(await sandbox.readPage(asked))) return unknownLink();
  await act(sandbox, asked, new URLSearchParams(request.body.toString('utf8')));
  // As the acquirer would call back; the worker delivers what is not taken now.
  await deliverSandboxCallbacks(ctx, handle);
  // To the page itself, so that a reload does not send the card again.
  const url = new URL(`${ctx.config.api.baseUrl}${sandboxCardPath}/${asked.reference}`);
  return {
    status: 303,
    headers: { location: `${url.pathname}?${new URLSearchParams({ key: asked.clientSecret })}` },
  };
}

async function act(
  sandbox: CardSandbox,
  asked: ReturnType<typeof readAsked>,
  form: URLSearchParams,
): Promise<void> {
  const answer = form.get('challenge');
  const decision = form.get('dispute');
  if (answer === 'approve' || answer === 'fail')
    await sandbox.answerChallenge({ ...asked, answer });
  else if (decision === 'won' || decision === 'lost')
    await sandbox.decideDispute({ reference: asked.reference, decision });
  else {
    const read = (field: string) => (form.get(field) ?? '').slice(0, fieldLengthMax);
    const [expiryMonth = '', expiryYear = ''] = read('expiry').split(/[/\s-]+/);
    await sandbox.pay({
      ...asked,
      card: { number: read('number'), expiryMonth, expiryYear, cvc: read('cvc') },
    });
  }
}

const words: Readonly<Record<CardPayment['status'], string>> = {
  'requires-payment': '',
  'requires-action': 'Your bank wants to be sure that it is you.',
  processing: 'Your payment is being processed. This takes half a minute.',
  authorized: 'Thank you: your payment was approved. You can close this page.',
  captured: 'Thank you: your payment was taken. You can close this page.',
  canceled: 'This payment was canceled. Nothing was taken from your card.',
  failed: 'This payment has failed. Nothing was taken from your card.',
};

function paymentBody(
  { payment, description, hasOpenDispute }: SandboxCardPage,
  clientSecret: string,
): Html {
  const { status, decline, card } = payment;
  return html`
<h1>${formatMoney(payment.amountMinor, payment.currency)}</h1>
${description !== undefined && html`<p>${description}</p>`}
<p class="muted">Sandbox: no bank is involved, and card numbers are not kept. Never enter a real card.</p>
${words[status] !== '' && html`<p role="status" data-state="${status}"><strong>${words[status]}</strong></p>`}
${decline && (status === 'requires-payment' || status === 'failed') && html`<p role="alert" data-code="${decline.code}"><strong>${decline.message}</strong></p>`}
${card && status !== 'requires-payment' && html`<p>Card: ${card.brand} ending in ${card.last4}</p>`}
${payment.refundedMinor > 0n && html`<p>Refunded: ${formatMoney(payment.refundedMinor, payment.currency)}</p>`}
${payment.disputedMinor > 0n && html`<p>Disputed: ${formatMoney(payment.disputedMinor, payment.currency)}</p>`}
${status === 'requires-payment' && cardForm()}
${
  status === 'requires-action' &&
  html`<h2>3-D Secure</h2>
<form method="post"><p>Answer as the payer’s bank would:
<button type="submit" name="challenge" value="approve">Approve</button> <button type="submit" name="challenge" value="fail">Fail</button></p></form>
<p class="muted">Who leaves this page without an answer may try another card after an hour.</p>`
}
${
  status === 'processing' &&
  html`<form method="get"><input type="hidden" name="key" value="${clientSecret}"><p><button type="submit">Look again</button></p></form>`
}
${
  hasOpenDispute &&
  html`<form method="post"><p>Decide the dispute as the payer’s bank would, for the merchant:
<button type="submit" name="dispute" value="won">Won</button> <button type="submit" name="dispute" value="lost">Lost</button></p></form>`
}
<p class="muted">Payment <code>${payment.reference}</code></p>`;
}

function cardForm(): Html {
  return html`
<form method="post" autocomplete="off">
<p><label for="number">Card number</label><br><input id="number" name="number" inputmode="numeric" required maxlength="${fieldLengthMax}" placeholder="${sandboxCards.approved.number}"></p>
<p><label for="expiry">Expiry (MM/YY)</label><br><input id="expiry" name="expiry" inputmode="numeric" required maxlength="7" placeholder="12/34" size="8"></p>
<p><label for="cvc">Security code</label><br><input id="cvc" name="cvc" inputmode="numeric" required maxlength="4" placeholder="123" size="6"></p>
<p><button type="submit">Pay</button></p>
</form>
<details><summary>Card numbers of the sandbox</summary>
<table><tbody>${Object.values(sandboxCards).map(({ number, what }) => html`<tr><td><code>${number}</code></td><td>${what.replaceAll('`', '')}</td></tr>`)}</tbody></table>
<p class="muted">Every other number with a right check digit is approved. Any expiry that is not over, any three digits.</p></details>`;
}

function unknownLink(): PublicAnswer {
  return page(
    403,
    'No such payment',
    html`<h1>This link does not work</h1><p>Go back to where you started and pay from there.</p>`,
  );
}

function page(status: number, pageTitle: string, body: Html): PublicAnswer {
  return {
    status,
    headers: { ...pageHeaders, 'content-security-policy': formPolicy },
    body: renderSheet(pageTitle, body),
  };
}

const formPolicy = pageHeaders['content-security-policy']!.replace(
  "form-action 'none'",
  "form-action 'self'",
);
