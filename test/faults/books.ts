import { findRail, type PayoutAccountType, type PayoutRail } from '../../src/providers/payout/rails.ts';
import { findScript, planSteps } from '../../src/providers/payout/sandbox-script.ts';
import { type ChainTransfer, readTokenBalance, readTransfers } from './chain.ts';
import type { FaultWorld } from './world.ts';

/** A transfer as the bank knows it. */
export interface BankTransfer {
  readonly key: string;
  readonly amountMinor: bigint;
  /** The money is at the recipient's bank, or on its way; else it never left or came back. */
  readonly isGone: boolean;
  /** The bank refused it before it moved. */
  readonly isRefused: boolean;
}

/** What the others say: the chain, the bank and the acquirer. Nothing of it is read from the service's own tables. */
export interface OutsideBooks {
  /** Tokens in and out of the treasury, by the other party (lower case) and the token. */
  readonly chain: readonly ChainTransfer[];
  readonly treasury: string;
  readonly treasuryHolds: Readonly<Record<'usdc' | 'usdxm', bigint>>;
  readonly bank: readonly BankTransfer[];
  /** By the acquirer's id. */
  readonly cards: ReadonlyMap<string, { readonly capturedMinor: bigint; readonly refundedMinor: bigint; readonly isHeld: boolean }>;
}

export async function readOutsideBooks(world: FaultWorld): Promise<OutsideBooks> {
  const { treasury, tokens } = world;
  const [usdc, usdxm, holdsUsdc, holdsUsdxm, bank] = await Promise.all([
    readTransfers(world, { token: tokens.usdc, party: treasury }),
    readTransfers(world, { token: tokens.usdxm, party: treasury }),
    readTokenBalance(world, tokens.usdc, treasury),
    readTokenBalance(world, tokens.usdxm, treasury),
    readBank(world),
  ]);
  const cards = new Map(
    [...world.stripe.intents].map(([id, intent]) => {
      const captured = BigInt(intent.amount_received);
      return [
        id,
        {
          capturedMinor: captured,
          refundedMinor: captured === 0n ? 0n : BigInt(intent.latest_charge.amount_refunded),
          isHeld: intent.status === 'requires_capture',
        },
      ];
    }),
  );
  return {
    chain: [...usdc, ...usdxm],
    treasury: treasury.toLowerCase(),
    treasuryHolds: { usdc: holdsUsdc, usdxm: holdsUsdxm },
    bank,
    cards,
  };
}

interface BankRow {
  readonly key: string;
  readonly amount: string;
  readonly script: string;
  readonly rail: PayoutRail;
  readonly type: PayoutAccountType;
  readonly takenAt: Date | null;
}

/** The sandbox bank writes down what it took; what became of it follows from its script and the time. */
async function readBank({ database, clock }: FaultWorld): Promise<BankTransfer[]> {
  const { rows } = await database.stores.vault.query<BankRow>({
    text: `select key, amount_minor::text as amount, script, rail, account_type as type, taken_at as "takenAt" from sandbox_bank_transfers`,
  });
  return rows
    .filter(({ takenAt }) => takenAt !== null)
    .map(({ key, amount, script, rail, type, takenAt }) => {
      const steps = planSteps(findScript(script), findRail(rail, type)!, takenAt!).filter(({ at }) => at <= clock.now());
      const isRefused = steps.some(({ status }) => status === 'rejected');
      const isBack = steps.some(({ status }) => status === 'returned');
      return { key, amountMinor: BigInt(amount), isGone: !isRefused && !isBack, isRefused };
    });
}
