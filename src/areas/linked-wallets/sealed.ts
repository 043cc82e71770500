import type { Ctx } from '../../context.ts';
import type { Sealer } from '../../lib/sealing/seal.ts';
import { openUserKey, type User } from '../users/index.ts';
import type { ChallengeRow, LinkedWalletKey, LinkedWalletRow } from './store.ts';

/** What is sealed of a linked wallet. */
export interface WalletSecret {
  /** As sent when it was linked. */
  readonly address: string;
  readonly chain: string;
  /** SHA-256 (hex) of the proof that was accepted: the same call again is no second proof. */
  readonly proofDigest?: string;
}

interface WalletPlace extends LinkedWalletKey {
  readonly userId: string;
  readonly version: number;
  readonly chainScope?: string;
}

const walletContext = (place: WalletPlace) => ({
  purpose: 'linked-wallet',
  projectId: place.projectId,
  id: [
    place.userId,
    place.walletHash.toString('hex'),
    ...(place.chainScope ? [place.chainScope] : []),
  ].join('/'),
  version: place.version,
});

export function sealWallet(
  user: Pick<User, 'sealer'>,
  place: WalletPlace,
  secret: WalletSecret,
): Buffer {
  return user.sealer.seal(Buffer.from(JSON.stringify(secret)), walletContext(place));
}

export function openWallet(ctx: Pick<Ctx, 'config'>, row: LinkedWalletRow): WalletSecret {
  const opened = keyOf(ctx, row).open(row.sealedWallet, walletContext(row));
  return JSON.parse(opened.toString()) as WalletSecret;
}

const challengeContext = ({
  id,
  projectId,
}: {
  readonly id: string;
  readonly projectId: string;
}) => ({
  purpose: 'wallet-challenge',
  projectId,
  id,
  version: 1,
});

export function sealChallenge(
  user: Pick<User, 'sealer' | 'projectId'>,
  id: string,
  text: string,
): Buffer {
  return user.sealer.seal(Buffer.from(text), challengeContext({ id, projectId: user.projectId }));
}

export function openChallenge(ctx: Pick<Ctx, 'config'>, row: ChallengeRow): string {
  return keyOf(ctx, row).open(row.sealedChallenge, challengeContext(row)).toString();
}

/** The key of the user whom the row hangs on, who may be another one of the same person. */
function keyOf(
  ctx: Pick<Ctx, 'config'>,
  row: { readonly userId: string; readonly projectId: string; readonly sealedKey: Buffer },
): Sealer {
  return openUserKey(ctx, { id: row.userId, projectId: row.projectId, sealedKey: row.sealedKey });
}
