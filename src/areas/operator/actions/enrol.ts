import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Ctx } from '../../../context.ts';
import { parseJson } from '../../../lib/json/parse-json.ts';
import { appendAudit } from '../../operations/index.ts';
import { invitationToken } from '../operators/operators.ts';
import { readRegistration, registrationSchema } from '../operators/passkeys.ts';
import { claimPasskey, lockOperator, type Operator, saveOperator } from '../operators/store.ts';
import { challengeOf } from './signed.ts';
import { type AskedAction, settleAction } from './store.ts';

const passkeysMax = 10;

/** Why an enrolment is refused, for whoever opened the link. */
class Refusal extends Error {}

/**
 * Takes a passkey of somebody who was invited. Browser and worker know the secret of the link, and
 * the database does not: the passkey was made for its hash, and the answer carries an HMAC under
 * it, so that whoever writes rows gives nobody a passkey.
 * @returns why not, or undefined
 */
export async function enrol(ctx: Ctx, asked: AskedAction): Promise<string | undefined> {
  try {
    await ctx.store.transaction(async (tx) => {
      const operator = await lockOperator(tx, asked.operatorId);
      const { invitation } = operator ?? {};
      if (!operator || !invitation || operator.status === 'revoked')
        throw new Refusal('The link was used already, or has ended.');
      if (invitation.expiresAt <= ctx.clock.now())
        throw new Refusal('The link has run out: ask for another one.');
      if (operator.passkeys.length >= passkeysMax)
        throw new Refusal(`There are ${passkeysMax} passkeys already.`);
      const passkey = await readPasskey(ctx, asked, invitationToken(tx, operator));
      if (!passkey) throw new Refusal('The passkey does not belong to the link.');
      if (!(await claimPasskey(tx, { credentialId: passkey.id, operatorId: operator.id })))
        throw new Refusal(
          'This passkey is registered already: make another one, on this device or another.',
        );
      const { status } = operator;
      const passkeys = [...operator.passkeys, passkey];
      await saveOperator(tx, { ...operator, status: 'active', invitation: undefined, passkeys });
      if (!(await settleAction(tx, { id: asked.id, status: 'done', at: ctx.clock.now() })))
        throw new Refusal('It is done already.');
      await appendAudit(ctx, tx, {
        actor: { kind: 'operator', id: operator.id, name: operator.name, role: mainRole(operator) },
        action: 'operators.enrol',
        outcome: 'done',
        subject: `operator:${operator.id}`,
        reason: 'opened the link of an invitation',
        changed: {
          status: [status, 'active'],
          passkeys: [operator.passkeys.length, passkeys.length],
        },
        actionId: asked.id,
      });
    });
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}

const mainRole = ({ roles }: Operator) => roles['*'] ?? Object.values(roles)[0] ?? 'viewer';

async function readPasskey(ctx: Ctx, { signed, proof }: AskedAction, token: string) {
  const given = Buffer.from(String(proof.hmac ?? ''), 'base64url');
  const expected = createHmac('sha256', token).update(signed).digest();
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  const { data: registration } = registrationSchema.safeParse(parseJson(signed));
  return (
    registration &&
    readRegistration(ctx.config, {
      registration,
      challenge: challengeOf(token),
      at: ctx.clock.now(),
    })
  );
}
