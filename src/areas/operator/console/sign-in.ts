import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Ctx } from '../../../context.ts';
import type { PublicRoute } from '../../../http/routes/public-routes.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { rowMacsOf } from '../../../store/row-mac.ts';
import { signedLengthMax } from '../actions/signed.ts';
import { countAsked, insertAction, selectOutcome } from '../actions/store.ts';
import { assertionSchema, isSignedBy, placeOf } from '../operators/passkeys.ts';
import { beginSession, endSession, sessionMs } from '../operators/sessions.ts';
import { selectOperator, selectOperatorOfPasskey } from '../operators/store.ts';
import { json, requireSession, sessionCookie, writeRoute } from './guard.ts';
import { limitRefusals } from './refusals.ts';

const challengeMs = 5 * 60_000;
/** Of one invitation, before the worker has looked at the first. */
const enrolmentsMax = 5;

/**
 * A challenge carries its own end and a seal, so that asking for one stores nothing; that it is
 * used once is what the row of the session that it makes sees to.
 */
function makeChallenge(ctx: Ctx): string {
  const expiresAtMs = ctx.clock.now().getTime() + challengeMs;
  const id = `${randomBytes(16).toString('base64url')}.${expiresAtMs}`;
  return Buffer.from(`${id}|${sealOf(ctx, id)}`).toString('base64url');
}

const sealOf = (ctx: Ctx, id: string) =>
  rowMacsOf(ctx.store).seal({ table: 'operator_challenges', id, fields: {} });

function isOpen(ctx: Ctx, challenge: string): boolean {
  const [id = '', seal = ''] = Buffer.from(challenge, 'base64url').toString('utf8').split('|');
  const expiresAtMs = Number(id.split('.')[1]);
  return (
    rowMacsOf(ctx.store).fits({ table: 'operator_challenges', id, fields: {} }, seal) &&
    expiresAtMs > ctx.clock.now().getTime()
  );
}

function challengeIn(clientDataJSON: string): string {
  try {
    return String(
      (
        JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8')) as {
          challenge?: unknown;
        }
      ).challenge,
    );
  } catch {
    return '';
  }
}

const refused = () =>
  new ServiceError('not-authorized', {
    message: 'This passkey opens nothing here. If you were invited, open your link first.',
  });

/** Without a session: whoever is refused too often from one address waits. */
export const signInRoutes: readonly PublicRoute[] = limitRefusals([
  writeRoute('/sign-in/challenge', z.strictObject({}), async (ctx) =>
    json(200, { challenge: makeChallenge(ctx), rpId: placeOf(ctx.config).rpId }),
  ),
  writeRoute(
    '/sign-in',
    z.strictObject({ assertion: assertionSchema }),
    async (ctx, { body: { assertion } }) => {
      const challenge = challengeIn(assertion.response.clientDataJSON);
      const operator = isOpen(ctx, challenge)
        ? await selectOperatorOfPasskey(ctx.store, assertion.id)
        : undefined;
      if (!operator || !(await isSignedBy(ctx.config, { operator, challenge, assertion })))
        throw refused();
      const begun = await beginSession(ctx, { operator, challenge });
      if (!begun) throw refused();
      return json(
        200,
        { name: operator.name },
        { 'set-cookie': sessionCookie(ctx, begun.token, sessionMs / 1_000) },
      );
    },
  ),
  writeRoute('/sign-out', z.strictObject({}), async (ctx, { request }) => {
    const session = await requireSession(ctx, request);
    await endSession(ctx, session.id);
    return json(200, {}, { 'set-cookie': sessionCookie(ctx, '', 0) });
  }),
  writeRoute(
    '/join/look',
    z.strictObject({ operatorId: z.uuid() }),
    async (ctx, { body: { operatorId } }) => {
      const operator = await selectOperator(ctx.store, operatorId);
      if (!operator?.invitation || operator.invitation.expiresAt <= ctx.clock.now())
        throw new ServiceError('not-authorized', {
          message: 'The link was used already, or has run out: ask for another one.',
        });
      return json(200, { name: operator.name, rpId: placeOf(ctx.config).rpId });
    },
  ),
  writeRoute(
    '/join',
    z.strictObject({
      operatorId: z.uuid(),
      registration: z
        .string()
        .max(signedLengthMax)
        .refine((text) => !text.includes('\0'), 'has a NUL character'),
      hmac: z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'is 32 bytes as base64url'),
    }),
    async (ctx, { body: { operatorId, registration, hmac } }) => {
      const operator = await selectOperator(ctx.store, operatorId);
      if (!operator?.invitation || (await countAsked(ctx.store, operatorId)) >= enrolmentsMax)
        throw refused();
      const id = ctx.ids.uuid();
      const asked = {
        id,
        kind: 'enrolment',
        operatorId,
        signed: registration,
        proof: { hmac },
        createdAt: ctx.clock.now(),
      } as const;
      await insertAction(ctx.store, asked);
      return json(202, { id });
    },
  ),
  writeRoute('/join/outcome', z.strictObject({ id: z.uuid() }), async (ctx, { body: { id } }) => {
    const outcome = await selectOutcome(ctx.store, id, 'enrolment');
    return json(200, {
      status: outcome?.status ?? 'refused',
      ...(outcome?.result && { message: outcome.result.message }),
    });
  }),
]);
