import type { ControlTools, WalletControl } from '../../../chains/family.ts';
import type { Ctx } from '../../../context.ts';
import {
  CommandError,
  type CommandInput,
  formatJson,
  formatTable,
  parseCommand,
} from '../../../lib/command.ts';
import { createPreparedTransaction, selectTransactionChains } from '../../transactions/index.ts';
import {
  chainAsStored,
  lockDelegatesOnChains,
  onChainKey,
  recoveryMethodsOf,
  saveDelegateChains,
  selectDelegates,
  selectWalletsAt,
  termsOn,
  toFamilyWallet,
  type WalletRecord,
} from '../../wallets/index.ts';
import { readSignerLimits, type SignerLimits } from './limits.ts';
import { type Show, showBalances, showTransactions, showWallets } from './lists.ts';
import { walletsUsage } from './usage.ts';

/** Those that take the address of a wallet. */
const verbsOfOne: readonly string[] = ['signers', 'balances', 'transactions', 'end-signatures'];

/**
 * Serves `purser wallets …`.
 * @param openCtx opens the chains and the custody of keys
 * @returns the exit code: 1 when a chain has something otherwise
 * @throws CommandError, ServiceError
 */
export async function walletsCommand(
  openCtx: () => Promise<Ctx>,
  { argv, print, projectOf }: CommandInput,
): Promise<number> {
  const {
    values,
    positionals: [verb, address],
  } = parseCommand(argv, {
    texts: ['chain', 'project', 'approver', 'find', 'family', 'status', 'limit', 'after'],
    flags: ['yes'],
  });
  if (values.help || verb === undefined) {
    print(walletsUsage);
    return 0;
  }
  const show: Show = (value, text) => print(values.json ? formatJson(value) : text);
  if (verb === 'list') {
    if (address !== undefined)
      throw new CommandError(`The list takes no address: purser wallets list --find ${address}.`);
    const projectId = await projectOf(values.project);
    await showWallets(await openCtx(), projectId, values, show);
    return 0;
  }
  if (!verbsOfOne.includes(verb))
    throw new CommandError(`Unknown command "wallets ${verb}".\n\n${walletsUsage}`);
  if (address === undefined)
    throw new CommandError(`Name the wallet by its address.\n\n${walletsUsage}`);
  if (verb === 'end-signatures' && values.chain === undefined)
    throw new CommandError('--chain is missing: what was signed is ended on one chain at a time.');
  if (verb === 'end-signatures' && !values.yes)
    throw new CommandError(
      `This ends every operation that was signed for ${address} on ${values.chain} and has not run, and all its delegated signers there: repeat it with --yes.`,
    );
  const ctx = await openCtx();
  const wallet = await findWallet(
    ctx,
    address,
    values.project === undefined ? undefined : await projectOf(values.project),
  );
  if (verb === 'balances') return showBalances(ctx, wallet, show);
  if (verb === 'transactions') {
    await showTransactions(ctx, wallet, values, show);
    return 0;
  }
  if (wallet.type === 'mpc') throw new CommandError('An mpc wallet has no signers beside its key.');
  const tools = ctx.chains.family(wallet.chainType).control;
  if (!tools)
    throw new CommandError(
      `Wallets of the chain type "${wallet.chainType}" have no signers beside their key.`,
    );
  if (verb === 'signers') return showSigners(ctx, { wallet, tools, chain: values.chain, show });
  await endSignatures(ctx, {
    wallet,
    tools,
    chain: values.chain!,
    approver: values.approver,
    show,
  });
  return 0;
}

interface Subject {
  readonly wallet: WalletRecord;
  readonly tools: ControlTools;
  readonly show: Show;
}

/** @throws CommandError when none is there, or one of several projects */
async function findWallet(
  { chains, store }: Ctx,
  address: string,
  projectId: string | undefined,
): Promise<WalletRecord> {
  const family = chains.families.find((one) => one.checkAddress(address) === undefined);
  if (!family) throw new CommandError(`"${address}" is no address of a wallet.`);
  const found = (
    await selectWalletsAt(store, family.chainType, [family.canonicalAddress(address)])
  ).filter((wallet) => projectId === undefined || wallet.projectId === projectId);
  if (found.length > 1)
    throw new CommandError(
      `Several projects have a wallet at ${address}: name one with --project.`,
    );
  if (!found[0]) throw new CommandError(`There is no wallet at ${address}.`);
  return found[0];
}

async function showSigners(
  ctx: Ctx,
  { wallet, tools, chain, show }: Subject & { chain: string | undefined },
): Promise<number> {
  const family = ctx.chains.family(wallet.chainType);
  const delegates = await selectDelegates(ctx.store, { walletId: wallet.id });
  const used = [
    ...(await selectTransactionChains(ctx.store, wallet.id)),
    ...delegates.flatMap((delegate) => delegate.chains),
  ];
  const chains =
    chain === undefined
      ? [...new Set(used.map((row) => row.chain))]
      : [family.requireNetwork(chain).name];
  if (chains.length === 0)
    throw new CommandError('The wallet was not used on a chain yet: name one with --chain.');
  const read: Shown[] = [];
  for (const name of chains) {
    const known = delegates.map((delegate) => {
      const row = delegate.chains.find((one) => one.chain === name);
      return { signer: delegate.signer, inForce: termsOn(delegate, row) !== undefined };
    });
    const control = await tools.read({ wallet: toFamilyWallet(wallet), chain: name, known });
    const missing = delegates.filter(({ signer }) => control.missing.includes(signer.locator));
    await compareSoon(
      ctx,
      missing.map(({ id }) => ({ signerId: id, chain: name })),
    );
    const limits = await readSignerLimits(ctx, { wallet, chains: [name] });
    read.push({ chain: name, ...control, limits });
  }
  show(read, read.map(describe).join('\n\n'));
  return read.some(({ differences }) => differences.length > 0) ? 1 : 0;
}

/**
 * What the chain does not have is looked at by the service within seconds, and then no longer taken
 * for registered.
 */
async function compareSoon(
  ctx: Ctx,
  keys: readonly { signerId: string; chain: string }[],
): Promise<void> {
  if (keys.length === 0) return;
  const now = ctx.clock.now();
  await ctx.store.transaction(async (tx) => {
    const current = await lockDelegatesOnChains(tx, keys);
    const rows = keys.flatMap((key) => {
      const delegate = current.get(onChainKey(key));
      return delegate ? [{ ...chainAsStored(delegate, key.chain, now), checkAt: now }] : [];
    });
    await saveDelegateChains(tx, rows);
  });
}

interface Shown extends WalletControl {
  readonly chain: string;
  /** Of delegated signers that may spend no more than something. */
  readonly limits: readonly SignerLimits[];
}

/** One line for each limit. */
function describeLimits(found: readonly SignerLimits[]): string[] {
  if (found.length === 0) return [];
  const rows = found.flatMap((one) =>
    'unknown' in one
      ? [[one.signer, 'not known', '-', '-', one.unknown]]
      : one.limits.map(({ currency, limit, used, intervalSeconds, renewsAt }) => [
          one.signer,
          `${used} ${currency}`,
          `${limit} ${currency}`,
          intervalSeconds === undefined ? 'for ever' : `in ${intervalSeconds} s`,
          renewsAt?.toISOString() ?? '-',
        ]),
  );
  return [formatTable(['LIMITS OF', 'USED', 'OF', 'PER', 'ANEW'], rows)];
}

function describe(control: Shown): string {
  if (!control.deployed)
    return `${control.chain}: not deployed yet; its first operation sets it up as planned.`;
  const at = (date: Date | undefined) => date?.toISOString() ?? '-';
  const rows = [
    ...control.owners.map((owner) => [
      'owner',
      owner,
      `${control.threshold} of ${control.owners.length}`,
      '-',
      '-',
    ]),
    ...control.signers.map(({ id, locator, scopeCount, validAfter, validUntil }) => [
      'delegated signer',
      locator ?? id,
      scopeCount === 0 ? 'everything but managing the wallet' : `${scopeCount} scopes`,
      at(validAfter),
      at(validUntil),
    ]),
    ...control.modules.map((module) => ['module', module, '-', '-', '-']),
    ...(control.guard === undefined ? [] : [['guard', control.guard, '-', '-', '-']]),
    ['fallback handler', control.fallbackHandler ?? 'none', '-', '-', '-'],
  ];
  return [
    `${control.chain}: everything that was signed was ended ${control.epoch} times.`,
    formatTable(['WHAT', 'WHO', 'MAY', 'FROM', 'UNTIL'], rows),
    ...describeLimits(control.limits),
    ...(control.differences.length === 0
      ? ['All of it is as it was set up here.']
      : ['Not as it was set up here:', ...control.differences.map((sentence) => `- ${sentence}`)]),
  ].join('\n');
}

async function endSignatures(
  ctx: Ctx,
  input: Subject & { chain: string; approver: string | undefined },
): Promise<void> {
  const { wallet, tools, show } = input;
  const signer = chooseApprover(wallet, input.approver);
  const prepared = await tools.prepareEnd({
    wallet: toFamilyWallet(wallet),
    chain: input.chain,
    approver: signer,
    now: ctx.clock.now(),
  });
  const { id, status } = await createPreparedTransaction(ctx, { wallet, prepared, signer });
  show(
    { transactionId: id, status },
    status === 'awaiting-approval'
      ? `Transaction ${id} ends it once ${signer.locator} has approved it, like any other transaction of the wallet.`
      : `Transaction ${id} is on its way: once it has succeeded, nothing of it runs any more.`,
  );
}

function chooseApprover(wallet: WalletRecord, named: string | undefined) {
  const methods = recoveryMethodsOf(wallet);
  const names = methods.map(({ locator }) => locator).join(', ');
  const found =
    named === undefined
      ? methods
      : methods.filter(({ locator }) => locator.toLowerCase() === named.toLowerCase());
  if (found.length !== 1)
    throw new CommandError(`--approver names who approves it. Name one of: ${names}.`);
  return found[0]!;
}
