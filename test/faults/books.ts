import type { BankTransfer } from './bank.ts';
import type { DisputeBooks } from './cards.ts';
import { type ChainTransfer, readTokenBalance, readTransfers } from './chain.ts';
import type { FaultWorld } from './world.ts';

/**
 * What the others say: the chain, the bank and the acquirer. Nothing of it is read from the
 * service's own tables.
 */
export interface OutsideBooks {
  /** Every transfer of tokens in and out of the treasury. */
  readonly chain: readonly ChainTransfer[];
  readonly treasury: string;
  readonly treasuryHolds: Readonly<Record<'usdc' | 'usdxm', bigint>>;
  readonly bank: readonly BankTransfer[];
  /** By the acquirer's id. */
  readonly cards: ReadonlyMap<string, CardBooks>;
}

interface CardBooks {
  /** The id that our side gave the payment. */
  readonly reference: string;
  readonly capturedMinor: bigint;
  readonly refundedMinor: bigint;
  readonly isHeld: boolean;
  readonly dispute: DisputeBooks | undefined;
}

export async function readOutsideBooks(world: FaultWorld): Promise<OutsideBooks> {
  const { treasury, tokens } = world;
  const [usdc, usdxm, holdsUsdc, holdsUsdxm] = await Promise.all([
    readTransfers(world, { token: tokens.usdc, party: treasury }),
    readTransfers(world, { token: tokens.usdxm, party: treasury }),
    readTokenBalance(world, tokens.usdc, treasury),
    readTokenBalance(world, tokens.usdxm, treasury),
  ]);
  return {
    chain: [...usdc, ...usdxm],
    treasury: treasury.toLowerCase(),
    treasuryHolds: { usdc: holdsUsdc, usdxm: holdsUsdxm },
    bank: world.bank.books(),
    cards: readCards(world),
  };
}

function readCards({ stripe, cards }: FaultWorld): Map<string, CardBooks> {
  return new Map(
    [...stripe.intents].map(([id, intent]) => {
      const capturedMinor = BigInt(intent.amount_received);
      return [
        id,
        {
          reference: intent.metadata.reference,
          capturedMinor,
          refundedMinor: capturedMinor === 0n ? 0n : BigInt(intent.latest_charge.amount_refunded),
          isHeld: intent.status === 'requires_capture',
          dispute: cards.disputeOf(id),
        },
      ];
    }),
  );
}
