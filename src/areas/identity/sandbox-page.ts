import type { IncomingHttpHeaders } from 'node:http';
import type { Ctx } from '../../context.ts';
import { type Html, html, pageHeaders, renderSheet } from '../../http/pages/html.ts';
import type { PublicAnswer, PublicRequest, PublicRoute } from '../../http/routes/public-routes.ts';
import { sandboxPagePath, sandboxPolicyPath } from '../../providers/kyc/index.ts';
import type { InquiryGap, InquiryState, KycSandbox, SandboxPage } from '../../providers/kyc/kyc.ts';
import { sandboxNames } from '../../providers/kyc/sandbox.ts';
import { receiveKycCallback } from './callbacks.ts';
import { policyUrl } from './policy.ts';

const nameLengthMax = 100;

/**
 * The page on which a company would ask a person for data: only where the sandbox stands in for
 * one.
 */
export const sandboxInquiryRoutes: readonly PublicRoute[] = [
  {
    method: 'GET',
    path: `${sandboxPagePath}/:inquiryId`,
    handler: (ctx, request) => withSandbox(ctx, request, showInquiry),
  },
  {
    method: 'POST',
    path: `${sandboxPagePath}/:inquiryId`,
    handler: (ctx, request) => withSandbox(ctx, request, takeInput),
  },
  {
    method: 'GET',
    path: sandboxPolicyPath,
    handler: (ctx, request) => withSandbox(ctx, request, showPolicy),
  },
];

type Show = (ctx: Ctx, sandbox: KycSandbox, request: PublicRequest) => Promise<PublicAnswer>;

async function withSandbox(ctx: Ctx, request: PublicRequest, show: Show): Promise<PublicAnswer> {
  const sandbox = ctx.providers.kyc?.sandbox;
  return sandbox
    ? show(ctx, sandbox, request)
    : page(404, 'Not found', html`<p>There is no such page.</p>`);
}

/**
 * Reading changes nothing: the one-time token of the address is used by whoever presses the button,
 * not by what looks at links.
 */
async function showInquiry(
  ctx: Ctx,
  sandbox: KycSandbox,
  { params, query, headers }: PublicRequest,
): Promise<PublicAnswer> {
  const inquiryId = params.inquiryId!;
  const session = query.get('session');
  if (session !== null) return page(200, 'Identity check', beginBody(session));
  const shown = await sandbox.readPage(inquiryId, readCookie(ctx, headers));
  return shown ? page(200, 'Identity check', inquiryBody(ctx, shown)) : usedUp();
}

async function takeInput(
  ctx: Ctx,
  sandbox: KycSandbox,
  { params, headers, body }: PublicRequest,
): Promise<PublicAnswer> {
  const inquiryId = params.inquiryId!;
  const form = new URLSearchParams(body.toString('utf8'));
  const session = form.get('session');
  if (session !== null) {
    // It becomes a cookie, so that the address is worth nothing once it was used.
    const token = await sandbox.redeemSession(inquiryId, session);
    return token === undefined ? usedUp() : redirect(ctx, inquiryId, token);
  }
  const shown = await sandbox.readPage(inquiryId, readCookie(ctx, headers));
  if (!shown) return usedUp();
  const decision = form.get('decision');
  if (decision === 'passed' || decision === 'refused') await sandbox.decide(inquiryId, decision);
  else {
    const names = { firstName: readName(form, 'firstName'), lastName: readName(form, 'lastName') };
    if (names.firstName === '' || names.lastName === '')
      return page(
        400,
        'Identity check',
        inquiryBody(ctx, shown, 'Enter your first and last name.'),
      );
    const given = shown.asks.filter((asked) => form.get(asked) === 'on');
    if (shown.takesInput && given.length < shown.asks.length)
      return page(
        400,
        'Identity check',
        inquiryBody(ctx, shown, 'Tick everything that the check asks for.'),
      );
    await sandbox.submitPage(inquiryId, { ...names, given });
  }
  // As the company would call back; without it the review's own look would find out.
  await receiveKycCallback(
    ctx,
    sandbox.signCallback(
      inquiryId,
      decision === null ? 'inquiry.completed' : 'inquiry.transitioned',
    ),
  );
  return redirect(ctx, inquiryId);
}

const words: Readonly<Record<InquiryState, string>> = {
  waiting: 'Your data is being checked.',
  'in-review': 'Our staff looks at your data.',
  passed: 'You are verified. You can close this page.',
  refused: 'Your identity could not be verified.',
  'document-requested':
    'We need a better picture of your document. Please send it where you started this check.',
  expired: 'This check has expired. Please start it again.',
};

/** A company has fields and a camera for these; here a tick says that the person gave them. */
function labelOf(ctx: Ctx, asked: InquiryGap): Html {
  switch (asked) {
    case 'consent':
      return html`I accept the <a href="${policyUrl(ctx)}">privacy policy</a>`;
    case 'user-details':
      return html`My date of birth and country of residence`;
    case 'kyc-data':
      return html`My address, nationality and the number of my identity document`;
    case 'id':
      return html`Pictures of my identity document`;
    case 'proof-of-address':
      return html`A proof of my address`;
  }
}

function beginBody(session: string): Html {
  return html`
<h1>Identity check</h1>
<p class="muted">Sandbox: no company is involved, and what you enter is not kept.</p>
<p>This link works once, in this browser.</p>
<form method="post"><input type="hidden" name="session" value="${session}"><p><button type="submit">Begin</button></p></form>`;
}

function inquiryBody(
  ctx: Ctx,
  { inquiryId, state, asks, takesInput: isOpen }: SandboxPage,
  mistake?: string,
): Html {
  return html`
<h1>Identity check</h1>
<p class="muted">Sandbox: no company is involved, and what you enter is not kept.</p>
${
  isOpen
    ? html`<p>Please enter your name as it is in your passport.</p>
${mistake !== undefined && html`<p role="alert"><strong>${mistake}</strong></p>`}
<form method="post">
<p><label for="firstName">First name</label><br><input id="firstName" name="firstName" autocomplete="given-name" required maxlength="${nameLengthMax}"></p>
<p><label for="lastName">Last name</label><br><input id="lastName" name="lastName" autocomplete="family-name" required maxlength="${nameLengthMax}"></p>
${asks.map((asked) => html`<p><label><input type="checkbox" name="${asked}" required> ${labelOf(ctx, asked)}</label></p>`)}
<p><button type="submit">Submit</button></p>
</form>
<p class="muted">These names steer the result: ${Object.values(sandboxNames)
        .filter((name) => name !== sandboxNames.page && name !== sandboxNames.untaken)
        .map(
          (name, index) => html`${index > 0 && ', '}<code>${name}</code>`,
        )}. Everybody else is verified.</p>`
    : html`<p role="status" data-state="${state}"><strong>${words[state]}</strong></p>`
}
${
  state === 'in-review' &&
  html`<form method="post"><p>Decide as the staff of the company would:
<button type="submit" name="decision" value="passed">Approve</button> <button type="submit" name="decision" value="refused">Refuse</button></p></form>`
}
${!isOpen && (state === 'waiting' || state === 'in-review') && html`<form method="get"><p><button type="submit">Look again</button></p></form>`}
<p class="muted">Inquiry <code>${inquiryId}</code></p>`;
}

async function showPolicy(): Promise<PublicAnswer> {
  return page(
    200,
    'Privacy policy',
    html`<h1>Privacy policy</h1>
<p>Sandbox: this stands for the policy of whoever runs the service (<code>PRIVACY_POLICY_URL</code>). Nothing leaves this machine.</p>`,
  );
}

function usedUp(): PublicAnswer {
  return page(
    403,
    'Link used',
    html`<h1>This link does not work any more</h1>
<p>A link to an identity check works once, in one browser, and for an hour. Go back to where you started and continue from there: you get a new one.</p>`,
  );
}

function page(status: number, title: string, body: Html): PublicAnswer {
  return {
    status,
    headers: { ...pageHeaders, 'content-security-policy': formPolicy },
    body: renderSheet(title, body),
  };
}

const formPolicy = pageHeaders['content-security-policy']!.replace(
  "form-action 'none'",
  "form-action 'self'",
);

/**
 * To the page itself, so that neither the token stays in the address nor the form is sent again by
 * a reload.
 */
function redirect(ctx: Ctx, inquiryId: string, token?: string): PublicAnswer {
  const url = new URL(`${ctx.config.api.baseUrl}${sandboxPagePath}/${inquiryId}`);
  const headers: Record<string, string> = { location: url.pathname };
  if (token !== undefined)
    headers['set-cookie'] =
      `${cookieName(ctx)}=${token}; Path=${url.pathname}; HttpOnly; SameSite=Strict${isSecure(ctx) ? '; Secure' : ''}`;
  return { status: 303, headers };
}

const isSecure = (ctx: Ctx) => ctx.config.api.baseUrl.startsWith('https:');
// Browsers take the prefix over TLS only. Its path keeps it from being `__Host-`.
const cookieName = (ctx: Ctx) => (isSecure(ctx) ? '__Secure-purser_inquiry' : 'purser_inquiry');

function readCookie(ctx: Ctx, headers: IncomingHttpHeaders): string {
  const name = `${cookieName(ctx)}=`;
  const found = (headers.cookie ?? '').split(/; */).find((pair) => pair.startsWith(name));
  return found?.slice(name.length) ?? '';
}

function readName(form: URLSearchParams, field: string): string {
  return (form.get(field) ?? '').trim().slice(0, nameLengthMax);
}
