import type { JsonObject } from '../../../lib/json/json.ts';
import { formatAmount } from '../../../lib/money/amount.ts';
import { describeActions, type SaidAction } from '../../family/signing/describe-actions.ts';
import type { Network } from '../../family.ts';
import { suiCoinType } from '../config/networks.ts';
import type { Command } from './program.ts';
import { readOperation } from './stored.ts';
import type { Transfer } from './transfer-program.ts';

/** As `Operations.describeSigned`: of what is sealed alone. Names of modules, functions and
 * types and memos are a stranger's words, and are left out. */
export function describeOperation(
  network: Pick<Network, 'native' | 'tokens'>,
  value: JsonObject,
): string {
  const { does, chain } = readOperation(value);
  if ('transfer' in does)
    return `send ${describeAmount(network, does.transfer)} to ${does.transfer.recipient} on ${chain}`;
  const actions = does.program.commands.map(describeCommand);
  return `${describeActions(actions, { joiner: ', then ', more: (count) => `run ${count} more commands` })} on ${chain}`;
}

function describeAmount(
  { native, tokens }: Pick<Network, 'native' | 'tokens'>,
  { coinType, amount }: Transfer,
): string {
  const token =
    coinType === suiCoinType ? native : tokens.find(({ address }) => address === coinType);
  return token
    ? `${formatAmount(amount, token.decimals)} ${token.symbol.toUpperCase()}`
    : `${amount} of the smallest unit of a coin of ${coinType.split('::')[0]}`;
}

function describeCommand(command: Command): SaidAction {
  if (command.MoveCall)
    return { text: `run the package ${command.MoveCall.package}`, matters: false };
  if (command.TransferObjects) return { text: 'give objects away', matters: true };
  return {
    text: command.SplitCoins ? 'split coins' : command.MergeCoins ? 'merge coins' : 'make a list',
    matters: false,
  };
}
