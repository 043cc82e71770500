import { privateKeyToAddress } from 'viem/accounts';
import type { Config } from '../../../config/config.ts';
import { CommandError, formatTable, type Print, parseCommand } from '../../../lib/command.ts';
import type { Db } from '../../../store/types.ts';
import { findEvmNetwork, starOf } from '../config/networks.ts';
import { forgetNextNonce, relayStatus } from '../relay/index.ts';
import { createRpc } from '../rpc/rpc.ts';
import { watcherStatus } from '../watcher/index.ts';
import { deployContracts } from './deploy.ts';
import { chainsUsage } from './usage.ts';

/** Serves `purser chains …`. @throws CommandError, DeployError */
export async function chainsCommand(
  ctx: { readonly config: Config; readonly store: Db },
  input: { readonly argv: readonly string[]; readonly print: Print },
): Promise<void> {
  const { values, positionals } = parseCommand(input.argv, {});
  const [verb, chain] = positionals;
  if (values.help || verb === undefined) return input.print(chainsUsage);
  if (verb === 'status') return printStatus(ctx.store, { print: input.print, json: values.json === true });
  if (verb === 'recount') return recount(ctx, { chain, address: positionals[2], print: input.print });
  if (verb === 'deploy') return deploy(ctx.config, { chain, print: input.print });
  throw new CommandError(`Unknown command "chains ${verb}".\n\n${chainsUsage}`);
}

async function deploy(config: Config, { chain, print }: { chain: string | undefined; print: Print }): Promise<void> {
  const network = findEvmNetwork(chain ?? '');
  if (!network) throw new CommandError('Name the EVM chain to deploy to, e.g. purser chains deploy base-sepolia.');
  const url = config.evm.rpcUrls.get(network.name);
  if (url === undefined) throw new CommandError(`No node is configured for ${network.name}: set EVM_RPC_URL_${starOf(network.name)}.`);
  const deployerKey = config.evm.treasuryKey;
  if (!deployerKey) throw new CommandError('EVM_TREASURY_KEY is not set: it pays for the deployment.');
  const testTokenOwner = network.testnet && config.environment !== 'production' ? privateKeyToAddress(deployerKey.reveal()) : undefined;
  const rpc = createRpc({ url, timeoutMs: config.evm.rpcTimeoutMs });
  const { deployed, present } = await deployContracts({
    rpc,
    bounds: { ...network.bounds, ...config.evm.bounds?.get(network.name) },
    deployerKey,
    ...(testTokenOwner === undefined ? {} : { testTokenOwner }),
    onProgress: print,
  });
  print(deployed.length === 0 ? `Everything is on ${network.name} already.` : `${deployed.length} deployed, ${present.length} were there.`);
}

/** For a key that was used elsewhere: its account begins with what the chain counts. */
async function recount(
  { store }: { readonly store: Db },
  { chain, address, print }: { chain: string | undefined; address: string | undefined; print: Print },
): Promise<void> {
  if (chain === undefined || address === undefined)
    throw new CommandError('Name chain and account, e.g. purser chains recount base-sepolia 0x…; `purser chains status` lists them.');
  if (!(await forgetNextNonce(store, chain, address)))
    throw new CommandError(`There is no such account on ${chain}, or transactions of it are under way: look at \`purser chains status\`.`);
  print(`${address} goes on with what ${chain} counts.`);
}

async function printStatus(db: Db, { print, json }: { print: Print; json: boolean }): Promise<void> {
  const [relay, watchers] = await Promise.all([relayStatus(db), watcherStatus(db)]);
  if (json)
    return print(
      JSON.stringify({ ...relay, watchers }, (_key, value: unknown) => (typeof value === 'bigint' ? value.toString() : value), 2),
    );
  const text = (value: unknown) => (value === null || value === undefined ? '-' : String(value));
  print(
    formatTable(
      ['CHAIN', 'QUEUED', 'IN FLIGHT', 'OLDEST MS', 'PENDING TXS'],
      relay.queues.map((queue) => [
        queue.chain,
        text(queue.queued),
        text(queue.inFlight),
        text(queue.oldestQueuedMs),
        text(queue.pendingTransactions),
      ]),
    ),
  );
  print('');
  print(
    formatTable(
      ['CHAIN', 'WEI LAST HOUR', 'ALARM'],
      relay.chains.map((money) => [money.chain, text(money.spentHourWei), text(money.alarm)]),
    ),
  );
  print('');
  print(
    formatTable(
      ['CHAIN', 'ROLE', 'ADDRESS', 'WEI', 'WORKER', 'ALARM'],
      relay.accounts.map((account) => [
        account.chain,
        account.role,
        account.address,
        text(account.balanceWei),
        text(account.leasedBy),
        text(account.alarm),
      ]),
    ),
  );
  print('');
  print(
    formatTable(
      ['CHAIN', 'HEAD', 'LAG', 'ALARM'],
      watchers.map((watcher) => [watcher.chain, text(watcher.headHeight), text(watcher.lagBlocks), text(watcher.alarm ?? watcher.failure)]),
    ),
  );
}
