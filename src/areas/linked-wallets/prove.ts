import { createHash } from 'node:crypto';
import type { MessageVerifier } from '../../chains/family.ts';
import type { RequestCtx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { Tx } from '../../store/types.ts';
import { changeUser, LostRace, type User } from '../users/index.ts';
import {
  checkWalletCount,
  claimLinkAllowance,
  type LinkedWallet,
  refuseTaken,
  type TakenWallet,
  takenWallet,
  type WalletToLink,
} from './link.ts';
import { verifyProof } from './proofs.ts';
import { openChallenge, openWallet, sealWallet } from './sealed.ts';
import {
  type ChallengeRow,
  claimChallenge,
  deleteChallengesOfWallet,
  deleteClaim,
  insertChainProof,
  type LinkedWalletRow,
  putVerifiedWallet,
  selectLinkedWallet,
  selectOpenChallenges,
} from './store.ts';

interface ProveInput {
  readonly locator: string;
  readonly wallet: WalletToLink;
  readonly proof: string;
}

/** What there is to prove, as the tables say before the proof is checked. */
type Standing =
  | { readonly verified: LinkedWallet }
  | { readonly refused: string }
  | { readonly userId: string; readonly challenges: readonly ChallengeRow[] };

/**
 * Checks a proof against the open challenges of this user for this wallet, and links the wallet as
 * verified. A challenge works once; the same call again, after an answer that was lost, is answered
 * as the first one.
 */
export async function proveWallet(ctx: RequestCtx, input: ProveInput): Promise<LinkedWallet> {
  const { locator, wallet, proof } = input;
  const proofDigest = createHash('sha256').update(proof).digest('hex');
  const standing = await changeUser(ctx, { locator, create: true }, (tx, user) =>
    readStanding(ctx, tx, { user, wallet, proofDigest }),
  );
  if ('verified' in standing) return standing.verified;
  if ('takenBy' in standing) throw refuseTaken(standing);
  if ('refused' in standing) throw new ServiceError('invalid-proof', { message: standing.refused });
  await claimLinkAllowance(ctx, standing.userId);
  // Outside of the transaction: a node may have to be asked.
  const signed = await findSigned(ctx, { ...input, challenges: standing.challenges });
  const proved = await changeUser(ctx, { locator, create: true }, (tx, user) =>
    storeProof(ctx, tx, { user, wallet, proofDigest, ...signed }),
  );
  if ('takenBy' in proved) throw refuseTaken(proved);
  return proved;
}

async function readStanding(
  ctx: RequestCtx,
  tx: Tx,
  {
    user,
    wallet,
    proofDigest,
  }: { readonly user: User; readonly wallet: WalletToLink; readonly proofDigest: string },
): Promise<Standing | TakenWallet> {
  const { walletHash } = wallet;
  // In this order: another user's proof that closes the challenges between the two reads is seen by
  // the second.
  const challenges = await selectOpenChallenges(tx, {
    personId: user.id,
    walletHash,
    now: ctx.clock.now(),
  });
  const row = await selectLinkedWallet(tx, {
    projectId: user.projectId,
    walletHash,
    chain: wallet.chain.name,
  });
  if (row?.verifiedAt && row.personId !== user.id) return { takenBy: 'proof' };
  if (row?.verifiedAt) {
    const secret = openWallet(ctx, row);
    if (secret.proofDigest === proofDigest)
      return { verified: { address: secret.address, chain: secret.chain } };
    return {
      refused:
        'The wallet is verified already, and no challenge is open for it: leave `proof` out.',
    };
  }
  if (challenges.length > 0) return { userId: user.id, challenges };
  if (row && row.personId !== user.id) return takenWallet(ctx, tx, { user, wallet, row });
  return {
    refused:
      'No challenge is open for this user and wallet: it was never asked for, was used, or has expired. Send the call without `proof`, have the new `verificationChallenge` signed, and send it again with `proof`.',
  };
}

interface Signed {
  readonly challengeId: string;
  readonly by: MessageVerifier;
}

/**
 * Every challenge is tried: what one cannot be held against, for want of a node, may be the plain
 * signature of another.
 */
async function findSigned(
  ctx: RequestCtx,
  input: ProveInput & { readonly challenges: readonly ChallengeRow[] },
): Promise<Signed> {
  const { address, chain } = input.wallet;
  let failure: unknown;
  for (const challenge of input.challenges) {
    try {
      const by = await verifyProof(ctx, {
        address,
        chain,
        text: openChallenge(ctx, challenge),
        proof: input.proof,
      });
      if (by) return { challengeId: challenge.id, by };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      failure = error;
    }
  }
  throw (
    failure ??
    new ServiceError('invalid-proof', {
      message:
        'The ownership proof does not verify: it has to be the signature of the wallet at this address over `verificationChallenge`, to the letter and before it expires.',
    })
  );
}

async function storeProof(
  ctx: RequestCtx,
  tx: Tx,
  input: {
    readonly user: User;
    readonly wallet: WalletToLink;
    readonly proofDigest: string;
  } & Signed,
): Promise<LinkedWallet | TakenWallet> {
  const { user, wallet, proofDigest } = input;
  const key = { projectId: user.projectId, walletHash: wallet.walletHash };
  const now = ctx.clock.now();
  const isOpen = await claimChallenge(tx, { id: input.challengeId, now });
  const row = await selectLinkedWallet(tx, { ...key, chain: wallet.chain.name });
  if (row?.verifiedAt && row.personId !== user.id) return { takenBy: 'proof' };
  if (row?.verifiedAt && openWallet(ctx, row).proofDigest === proofDigest) {
    const { address, chain } = openWallet(ctx, row);
    return { address, chain };
  }
  if (!isOpen || row?.verifiedAt)
    throw new ServiceError('invalid-proof', {
      message:
        'The challenge was used or has expired: send the call without `proof` for a new one.',
    });
  if (row?.personId !== user.id) await checkWalletCount(tx, user);
  if (input.by === 'contract')
    return storeChainProof(ctx, tx, { user, wallet, proofDigest, ...(row && { claim: row }) });
  const place = { ...key, userId: user.id, version: (row?.version ?? 0) + 1 };
  const sealedWallet = sealWallet(user, place, {
    address: wallet.address,
    chain: wallet.chain.name,
    proofDigest,
  });
  if (
    !(await putVerifiedWallet(tx, {
      ...place,
      sealedWallet,
      now,
      versionBefore: row?.version ?? 0,
    }))
  )
    throw new LostRace();
  await deleteChallengesOfWallet(tx, key);
  return { address: wallet.address, chain: wallet.chain.name };
}

/**
 * Links a contract on the chain that it was asked on. The claim gives way that is about the same:
 * the user's own, or another's on this chain. What anybody proved or claims elsewhere stays.
 */
async function storeChainProof(
  ctx: RequestCtx,
  tx: Tx,
  input: {
    readonly user: User;
    readonly wallet: WalletToLink;
    readonly proofDigest: string;
    readonly claim?: LinkedWalletRow;
  },
): Promise<LinkedWallet> {
  const { user, wallet, claim } = input;
  const chain = wallet.chain.name;
  if (
    claim &&
    (claim.personId === user.id || openWallet(ctx, claim).chain === chain) &&
    !(await deleteClaim(tx, claim))
  )
    throw new LostRace();
  const place = {
    projectId: user.projectId,
    walletHash: wallet.walletHash,
    userId: user.id,
    version: 1,
    chainScope: chain,
  };
  const sealedWallet = sealWallet(user, place, {
    address: wallet.address,
    chain,
    proofDigest: input.proofDigest,
  });
  if (!(await insertChainProof(tx, { ...place, sealedWallet, now: ctx.clock.now() })))
    throw new LostRace();
  return { address: wallet.address, chain };
}
