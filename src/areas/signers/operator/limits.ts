import { type LimitUse, requireExtra, type TransferScope } from '../../../chains/family.ts';
import type { Ctx } from '../../../context.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { formatAmount } from '../../../lib/money/amount.ts';
import {
  type DelegateWithChains,
  selectDelegates,
  termsOn,
  toFamilyWallet,
  type WalletRecord,
} from '../../wallets/index.ts';

/** A limit of a scope with what is used of it: decimal amounts of a token. */
export interface ShownLimit {
  readonly currency: string;
  readonly limit: string;
  readonly used: string;
  /** Absent: for ever. */
  readonly intervalSeconds?: number;
  /** When the whole limit is there again; absent when it is now, or never will be. */
  readonly renewsAt?: Date;
}

/** What a network says of the limits of one delegated signer. */
export type SignerLimits = { readonly signer: string; readonly chain: string } & (
  | { readonly limits: readonly ShownLimit[] }
  /** Why it cannot be told. */
  | { readonly unknown: string }
);

/** Asked at once of one network: one batch of calls. */
const signersMax = 50;
const timeoutMs = 3_000;

/**
 * What delegated signers have used of their limits, by networks: one read of each, which is waited
 * for three seconds. Nothing where wallets of the family have no delegated signers.
 * @param input `chains`: only these; absent: all on which a signer has a limit
 */
export async function readSignerLimits(
  ctx: Ctx,
  { wallet, chains }: { readonly wallet: WalletRecord; readonly chains?: readonly string[] },
): Promise<readonly SignerLimits[]> {
  const limited = (await selectDelegates(ctx.store, { walletId: wallet.id })).flatMap(limitedOn);
  const asked = chains ?? [...new Set(limited.map(({ chain }) => chain))];
  const read = await Promise.all(
    asked.map(async (chain) => {
      const there = limited.filter((one) => one.chain === chain);
      const [some, rest] = [there.slice(0, signersMax), there.slice(signersMax)];
      if (some.length === 0) return [];
      const input = {
        wallet: toFamilyWallet(wallet),
        chain,
        signers: some.map(({ delegate }) => delegate.signer),
        now: ctx.clock.now(),
      };
      const found = await readInTime(chain, async () =>
        requireExtra(ctx.chains.family(wallet.chainType), 'delegates').readLimits(input),
      );
      return [
        ...some.map((one, index) =>
          'unknown' in found ? unknown(one, found.unknown) : show(one, found.uses[index]),
        ),
        ...rest.map((one) =>
          unknown(one, `Only ${signersMax} signers are asked about at once on one network.`),
        ),
      ];
    }),
  );
  return read.flat();
}

interface Limited {
  readonly delegate: DelegateWithChains;
  readonly chain: string;
  readonly scopes: readonly TransferScope[];
}

/** The networks on which a signer is in force with a limit. */
function limitedOn(delegate: DelegateWithChains): Limited[] {
  const chains = new Set([
    ...delegate.chains.map(({ chain }) => chain),
    ...delegate.scopes.map(({ token }) => token.chain),
  ]);
  return [...chains].flatMap((chain) => {
    const row = delegate.chains.find((one) => one.chain === chain);
    const scopes = termsOn(delegate, row)?.scopes ?? [];
    return scopes.some(({ spendingLimit }) => spendingLimit) ? [{ delegate, chain, scopes }] : [];
  });
}

const unknown = ({ delegate, chain }: Limited, reason: string): SignerLimits => ({
  signer: delegate.signer.locator,
  chain,
  unknown: reason,
});

type Uses = readonly (LimitUse | undefined)[];

function show(one: Limited, uses: Uses | undefined): SignerLimits {
  const { delegate, chain, scopes } = one;
  const isSame =
    uses?.length === scopes.length &&
    scopes.every(
      ({ spendingLimit }, index) => spendingLimit?.amountMinor === uses[index]?.limitMinor,
    );
  if (!isSame)
    return unknown(
      one,
      'The network has other limits than were asked for here; the service compares them within a day.',
    );
  const limits = scopes.flatMap(({ token, spendingLimit }, index): ShownLimit[] => {
    const use = uses[index];
    if (!use || !spendingLimit) return [];
    const { intervalSeconds } = spendingLimit;
    return [
      {
        currency: token.symbol ?? token.locator,
        limit: formatAmount(use.limitMinor, token.decimals),
        used: formatAmount(use.usedMinor, token.decimals),
        ...(intervalSeconds !== undefined && { intervalSeconds }),
        ...(use.renewsAt && { renewsAt: use.renewsAt }),
      },
    ];
  });
  return { signer: delegate.signer.locator, chain, limits };
}

/** A node that fails, or takes too long, is a reason and no error. */
async function readInTime(
  chain: string,
  run: () => Promise<readonly (Uses | undefined)[]>,
): Promise<{ readonly uses: readonly (Uses | undefined)[] } | { readonly unknown: string }> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<{ unknown: string }>((resolve) => {
    timer = setTimeout(
      () =>
        resolve({
          unknown: `The node of ${chain} did not answer within ${timeoutMs / 1_000} seconds: look again later.`,
        }),
      timeoutMs,
    );
  });
  const read = run().then(
    (uses) => ({ uses }),
    (error: unknown) => {
      if (error instanceof ServiceError) return { unknown: error.message };
      throw error;
    },
  );
  try {
    return await Promise.race([read, late]);
  } finally {
    clearTimeout(timer);
    read.catch(() => undefined);
  }
}
