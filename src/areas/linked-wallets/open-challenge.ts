import type { Ctx } from '../../context.ts';
import type { Tx } from '../../store/types.ts';
import type { User } from '../users/index.ts';
import type { LinkableChain } from './chains.ts';
import { challengeMs, namesChain, writeChallenge } from './challenge.ts';
import { openChallenge, sealChallenge } from './sealed.ts';
import { insertChallenge, selectOpenChallenges } from './store.ts';

type ChallengeCtx = Pick<Ctx, 'config' | 'clock' | 'ids'>;

const nonceBytes = 16;

/**
 * The text a user is asked to sign: the open one of the chain while half of its time is left, else
 * a new one; both can be signed.
 */
export async function ensureChallenge(
  ctx: ChallengeCtx,
  tx: Tx,
  input: {
    readonly user: User;
    readonly walletHash: Buffer;
    readonly address: string;
    readonly chain: LinkableChain;
  },
): Promise<string> {
  const { user, walletHash } = input;
  const now = ctx.clock.now();
  for (const open of await selectOpenChallenges(tx, { personId: user.id, walletHash, now })) {
    const openText = openChallenge(ctx, open);
    if (
      open.expiresAt.getTime() - now.getTime() > challengeMs / 2 &&
      namesChain(openText, input.chain)
    )
      return openText;
  }
  const id = ctx.ids.randomUuid();
  const expiresAt = new Date(now.getTime() + challengeMs);
  const text = writeChallenge({
    domain: ctx.config.serviceDomain,
    uri: new URL(ctx.config.api.baseUrl).origin,
    address: input.chain.linking.formatAddress(input.address),
    chain: input.chain,
    nonce: ctx.ids.bytes(nonceBytes).toString('hex'),
    issuedAt: now,
    expiresAt,
  });
  await insertChallenge(tx, {
    id,
    projectId: user.projectId,
    walletHash,
    userId: user.id,
    sealedChallenge: sealChallenge(user, id, text),
    createdAt: now,
    expiresAt,
  });
  return text;
}
