import { formatAmount } from '../../../lib/amount.ts';
import type { JsonObject } from '../../../lib/json.ts';
import type { Network } from '../../family.ts';
import { suiCoinType } from '../config/networks.ts';
import type { Command } from './program.ts';
import { readOperation } from './stored.ts';
import type { Transfer } from './transfer-program.ts';

/** Longer ones say how many commands are left out. */
const descriptionLengthMax = 180;

/** As `Operations.describeSigned`: of what is sealed alone. Names of modules, functions and
 * types and memos are a stranger's words, and are left out. */
export function describeOperation(network: Pick<Network, 'native' | 'tokens'>, value: JsonObject): string {
  const { does, chain } = readOperation(value);
  if ('transfer' in does) return `send ${describeAmount(network, does.transfer)} to ${does.transfer.recipient} on ${chain}`;
  const said: string[] = [];
  const { commands } = does.program;
  for (const [index, command] of commands.entries()) {
    const text = describeCommand(command);
    if (index > 0 && [...said, text].join(', then ').length > descriptionLengthMax) {
      said.push(`run ${commands.length - index} more commands`);
      break;
    }
    said.push(text);
  }
  return `${said.join(', then ')} on ${chain}`;
}

function describeAmount({ native, tokens }: Pick<Network, 'native' | 'tokens'>, { coinType, amount }: Transfer): string {
  const token = coinType === suiCoinType ? native : tokens.find(({ address }) => address === coinType);
  return token
    ? `${formatAmount(amount, token.decimals)} ${token.symbol.toUpperCase()}`
    : `${amount} of the smallest unit of a coin of ${coinType.split('::')[0]}`;
}

function describeCommand(command: Command): string {
  if (command.MoveCall) return `run the package ${command.MoveCall.package}`;
  if (command.TransferObjects) return 'give objects away';
  return command.SplitCoins ? 'split coins' : command.MergeCoins ? 'merge coins' : 'make a list';
}
