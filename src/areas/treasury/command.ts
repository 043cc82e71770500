import { factsOfChain, families } from '../../chains/families.ts';
import { type ChainType, chainTypes } from '../../chains/family.ts';
import type { Ctx } from '../../context.ts';
import {
  CommandError,
  type CommandInput,
  formatJson,
  formatTable,
  parseCommand,
  readLimit,
} from '../../lib/command.ts';
import { formatAmount } from '../../lib/money/amount.ts';
import { commandLineActor, performRule } from '../operations/index.ts';
import { type OperatorTransfer, readTreasuryBalances } from './operate.ts';
import { treasuryFund, treasuryWithdraw } from './rules.ts';
import { requireTreasury } from './send.ts';
import { selectTransfers, type TreasuryTransfer } from './store.ts';
import { treasuryUsage } from './usage.ts';

/**
 * Serves `purser treasury …`.
 * @param openCtx opens the chains and the custody of keys; only what needs them does
 * @throws CommandError, ServiceError
 */
export async function treasuryCommand(
  openCtx: () => Promise<Ctx>,
  { argv, print, projectOf }: CommandInput,
): Promise<void> {
  const {
    values,
    positionals: [verb],
  } = parseCommand(argv, {
    texts: ['project', 'chain-type', 'chain', 'token', 'amount', 'to', 'limit', 'note'],
    flags: ['yes'],
  });
  if (values.help || verb === undefined) return print(treasuryUsage);
  const show = (value: unknown, text: string) => print(values.json ? formatJson(value) : text);
  const chainType = readChainType(values);
  switch (verb) {
    case 'address': {
      const { address } = await requireTreasury(await openCtx(), {
        projectId: await projectOf(values.project),
        chainType,
      });
      return show({ address, chainType }, address);
    }
    case 'balances': {
      const input = {
        projectId: await projectOf(values.project),
        chainType,
        chain: values.chain,
      };
      const { balances, unreachable } = await readTreasuryBalances(await openCtx(), input);
      const rows = balances.map(({ token, amountMinor }) => [
        token.chain,
        token.symbol ?? token.locator,
        formatAmount(amountMinor, token.decimals),
      ]);
      if (rows.length === 0 && unreachable.length === 0)
        return show(
          [],
          'Nothing is booked for the treasury on any chain yet. To ask one all the same: --chain <name>.',
        );
      const missing = unreachable.map(({ chain, error }) => `${chain} did not answer: ${error}`);
      show(
        [...balances, ...unreachable],
        [formatTable(['CHAIN', 'TOKEN', 'AMOUNT'], rows), ...missing].join('\n'),
      );
      if (balances.length === 0 && missing.length > 0) throw new CommandError('No chain answered.');
      return;
    }
    case 'transfers': {
      const projectId = await projectOf(values.project);
      const { store } = await openCtx();
      return showTransfers(
        await selectTransfers(store, { projectId, limit: readLimit(values.limit) }),
        show,
      );
    }
    case 'withdraw': {
      if (values.to === undefined)
        throw new CommandError('--to is missing: the address that is to have it.');
      const input = readTransfer(values, await projectOf(values.project));
      if (!values.yes)
        throw new CommandError(
          `This sends ${input.amount} ${input.token} on ${input.chain} to ${values.to}, and cannot be taken back: repeat it with --yes.`,
        );
      const { projectId, ...params } = input;
      const { transferId } = await performRule(await openCtx(), treasuryWithdraw, {
        actor: commandLineActor(),
        projectId,
        params: { ...params, to: values.to },
        reason: values.note ?? 'withdrawn at the command line',
      });
      return show({ transferId }, `${transferId} is on its way: see purser treasury transfers.`);
    }
    case 'fund': {
      const input = readTransfer(
        { ...values, token: values.token ?? 'usdxm' },
        await projectOf(values.project),
      );
      const { projectId, ...params } = input;
      const { txId } = await performRule(await openCtx(), treasuryFund, {
        actor: commandLineActor(),
        projectId,
        params,
        reason: values.note ?? 'funded at the command line',
      });
      return show({ txId }, `${input.amount} ${input.token} minted on ${input.chain}: ${txId}`);
    }
    default:
      throw new CommandError(`Unknown command "treasury ${verb}".\n\n${treasuryUsage}`);
  }
}

/**
 * The family that is named, or that the chain named is of; without either the first of the list.
 */
function readChainType(values: {
  readonly chain?: string | undefined;
  readonly 'chain-type'?: string | undefined;
}): ChainType {
  const named =
    values['chain-type'] ??
    (values.chain === undefined ? families[0]!.name : factsOfChain(values.chain).name);
  const known = chainTypes.find((chainType) => chainType === named);
  if (known === undefined)
    throw new CommandError(`--chain-type is one of ${chainTypes.join(', ')}.`);
  return known;
}

function readTransfer(
  values: {
    readonly chain?: string | undefined;
    readonly token?: string | undefined;
    readonly amount?: string | undefined;
  },
  projectId: string,
): OperatorTransfer {
  const { chain, token, amount } = values;
  if (chain === undefined || token === undefined || amount === undefined)
    throw new CommandError(`--chain, --token and --amount say what is moved.\n\n${treasuryUsage}`);
  return { projectId, chain, token, amount };
}

function showTransfers(
  transfers: readonly TreasuryTransfer[],
  show: (value: unknown, text: string) => void,
): void {
  const rows = transfers.map((transfer) => [
    transfer.id,
    transfer.status,
    transfer.subject,
    `${formatAmount(transfer.amountMinor, transfer.token.decimals)} ${transfer.token.symbol ?? transfer.token.locator}`,
    transfer.chain,
    transfer.recipient,
    transfer.error?.message ?? transfer.txId ?? '',
  ]);
  show(
    transfers,
    rows.length === 0
      ? 'No transfers.'
      : formatTable(['ID', 'STATUS', 'FOR', 'AMOUNT', 'CHAIN', 'TO', 'TRANSACTION'], rows),
  );
}
