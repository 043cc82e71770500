import { getTransactionEncoder } from '@solana/kit';
import type { Account } from './accounts.ts';
import { toBase64 } from './base.ts';
import type { Chain } from './chain.ts';
import type { Landed, TokenBalance } from './history.ts';
import type { Outcome } from './machine.ts';
import {
  instructionsOf,
  isWritable,
  type LoadedKeys,
  loadKeys,
  lookupsOf,
  memoOf,
  nonceAccountOf,
  type ParsedTransaction,
  priceOf,
  signersOfFirst,
} from './message.ts';
import { nonceOf, readNonce, withNonceOf } from './nonce.ts';
import { lookupTableProgram } from './program-ids.ts';
import { blockhashAge, type Head, type Stretch } from './slots.ts';
import { formatAmount, readMint, readTokenAccount } from './token-accounts.ts';
import type { TransactionError } from './transaction-error.ts';

export interface Executed {
  readonly error: TransactionError | null;
  /** Absent: it did not get into a block. */
  readonly landed?: Landed;
  readonly changes: readonly (readonly [string, Account | null])[];
}

/** Not run, and paid for all the same. */
const feesOnly: ReadonlySet<unknown> = new Set([
  'ProgramAccountNotFound',
  'InvalidProgramForExecution',
  'MaxLoadedAccountsDataSizeExceeded',
]);

/**
 * Why a transaction would not be let into a block after `head`, before it runs; as a cluster, ages
 * are looked at first.
 */
export function refusalOf(
  chain: Chain,
  parsed: ParsedTransaction,
  head: Head = chain.head(),
): string | undefined {
  if (
    chain.heightOfBlockhash(parsed.message.lifetimeToken, head) === undefined &&
    usedNonce(chain, parsed, head.slot) === undefined
  )
    return 'BlockhashNotFound';
  const before = chain.history.get(parsed.signature);
  return before && before.height + 2 * blockhashAge >= head.height ? 'AlreadyProcessed' : undefined;
}

/** The nonce account whose nonce this transaction names and may use. */
function usedNonce(chain: Chain, { message }: ParsedTransaction, slot: number): string | undefined {
  const address = nonceAccountOf(message);
  const account = address && chain.read(address, slot);
  const nonce = account ? readNonce(account) : undefined;
  // As on a cluster a nonce that the newest block gave is not used in that block: it could not
  // change.
  const isSpent = nonce?.value === nonceOf(chain.nonceSeedOf(chain.head().slot));
  return nonce &&
    !isSpent &&
    nonce.value === message.lifetimeToken &&
    signersOfFirst(message).includes(nonce.authority)
    ? address
    : undefined;
}

/** Whether the machine must know the hashes of recent slots for it. */
export function prepareMachine(
  chain: Chain,
  { message }: ParsedTransaction,
  at: { readonly slot: number; readonly timeMs: number },
): void {
  chain.machine.setClock(at.slot, at.timeMs);
  const usesTables =
    lookupsOf(message).length > 0 ||
    instructionsOf(message).some(({ program }) => program === lookupTableProgram);
  if (usesTables) chain.setSlotHashes();
}

export function execute(chain: Chain, parsed: ParsedTransaction): Executed {
  const block = chain.slots.current();
  const loaded = loadKeys(parsed.message, (address) => chain.machine.read(address));
  const refusal = typeof loaded === 'string' ? loaded : refusalOf(chain, parsed, block);
  if (typeof loaded === 'string' || refusal !== undefined)
    return { error: refusal ?? null, changes: [] };
  const nonceAccount =
    chain.heightOfBlockhash(parsed.message.lifetimeToken, block) === undefined
      ? nonceAccountOf(parsed.message)
      : undefined;
  prepareMachine(chain, parsed, { slot: block.slot, timeMs: chain.slots.nowMs() });
  const readAll = () => loaded.keys.map((key) => chain.machine.read(key));
  const before = readAll();
  const outcome = chain.machine.run(parsed.transaction);
  const fee = takenFee(chain, { parsed, loaded, before, outcome });
  if (fee === undefined) return { error: outcome.error, changes: [] };
  correctNonces(chain, {
    loaded,
    before,
    block,
    spent: outcome.error === null ? undefined : nonceAccount,
  });
  const after = readAll();
  const changes = loaded.keys.flatMap((key, index) =>
    isSame(before[index]!, after[index]!) ? [] : [[key, after[index]!] as [string, Account | null]],
  );
  return {
    error: outcome.error,
    changes,
    landed: describe(chain, { parsed, loaded, before, after, outcome, fee, block }),
  };
}

interface RunParts {
  readonly parsed: ParsedTransaction;
  readonly loaded: LoadedKeys;
  readonly before: readonly (Account | null)[];
  readonly outcome: Outcome;
}

/**
 * What the fee payer lost by it; undefined when it did not get into a block. litesvm takes nothing
 * where a cluster takes the fee alone.
 */
function takenFee(chain: Chain, { parsed, loaded, before, outcome }: RunParts): bigint | undefined {
  const lamportsOf = (account: Account | null | undefined) => account?.lamports ?? 0n;
  if (outcome.error === null) {
    const sum = (accounts: readonly (Account | null)[]) =>
      accounts.reduce((total, account) => total + lamportsOf(account), 0n);
    return sum(before) - sum(loaded.keys.map((key) => chain.machine.read(key)));
  }
  const payer = chain.machine.read(parsed.feePayer);
  const taken = lamportsOf(before[0]) - lamportsOf(payer);
  if (taken > 0n) return taken;
  const { lamports: fee } = priceOf(parsed.message);
  if (!feesOnly.has(outcome.error) || !payer || payer.lamports < fee) return undefined;
  chain.machine.write(parsed.feePayer, { ...payer, lamports: payer.lamports - fee });
  return fee;
}

interface NonceParts {
  readonly loaded: LoadedKeys;
  readonly before: readonly (Account | null)[];
  readonly block: Stretch;
  /**
   * That of a transaction that failed: litesvm would leave it as it was, and the same bytes could
   * run again.
   */
  readonly spent: string | undefined;
}

/** litesvm makes nonces of the transaction's own lifetime; a cluster of the block. */
function correctNonces(chain: Chain, { loaded, before, block, spent }: NonceParts): void {
  for (const [index, key] of loaded.keys.entries()) {
    const account = chain.machine.read(key);
    const nonce = account ? readNonce(account) : undefined;
    if (!account || !nonce) continue;
    const earlier = before[index];
    const hasChanged = nonce.value !== (earlier ? readNonce(earlier)?.value : undefined);
    if (hasChanged || key === spent)
      chain.machine.write(key, withNonceOf(account, chain.nonceSeedOf(block.slot)));
  }
}

function isSame(one: Account | null, other: Account | null): boolean {
  if (!one || !other) return one === other;
  return (
    one.lamports === other.lamports &&
    one.owner === other.owner &&
    one.executable === other.executable &&
    Buffer.compare(one.data, other.data) === 0
  );
}

interface LandedParts extends RunParts {
  readonly after: readonly (Account | null)[];
  readonly fee: bigint;
  readonly block: Stretch;
}

function describe(
  chain: Chain,
  { parsed, loaded, before, after, outcome, fee, block }: LandedParts,
): Landed {
  const { message } = parsed;
  const balances = (accounts: readonly (Account | null)[]) =>
    accounts.map((account) => (account?.lamports ?? 0n).toString());
  return {
    signature: parsed.signature,
    ...block,
    version: message.version === 0 ? 0 : 'legacy',
    wire: toBase64(new Uint8Array(getTransactionEncoder().encode(parsed.transaction))),
    error: outcome.error,
    fee: fee.toString(),
    unitPrice: priceOf(message).perUnit.toString(),
    keys: loaded.keys,
    writableKeys: loaded.keys.filter((_, index) => isWritable(message, loaded, index)),
    loaded: { writable: loaded.writable, readonly: loaded.readonly },
    preBalances: balances(before),
    postBalances: balances(after),
    preTokenBalances: tokenBalances(chain, loaded.keys, before),
    postTokenBalances: tokenBalances(chain, loaded.keys, after),
    logs: outcome.logs,
    inner: outcome.inner,
    units: outcome.units.toString(),
    returnData: outcome.returnData && {
      program: outcome.returnData.program,
      data: toBase64(outcome.returnData.data),
    },
    memo: memoOf(message),
  };
}

function tokenBalances(
  chain: Chain,
  keys: readonly string[],
  accounts: readonly (Account | null)[],
): TokenBalance[] {
  return accounts.flatMap((account, accountIndex) => {
    const token = account ? readTokenAccount(account) : undefined;
    if (!account || !token) return [];
    const at = keys.indexOf(token.mint);
    const mint = (at >= 0 ? accounts[at] : undefined) ?? chain.machine.read(token.mint);
    const decimals = mint ? readMint(mint)?.decimals : undefined;
    if (decimals === undefined) return [];
    return [
      {
        accountIndex,
        mint: token.mint,
        owner: token.owner,
        programId: account.owner,
        uiTokenAmount: formatAmount(token.amount, decimals),
      },
    ];
  });
}
