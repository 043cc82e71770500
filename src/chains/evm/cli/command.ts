import { privateKeyToAddress } from 'viem/accounts';
import type { Config } from '../../../config/config.ts';
import { CommandError, type CommandInput, type Print, parseCommand } from '../../../lib/command.ts';
import type { Db } from '../../../store/types.ts';
import { findEvmNetwork, starOf } from '../config/networks.ts';
import { forgetNextNonce } from '../relay/index.ts';
import { createRpc } from '../rpc/rpc.ts';
import { deployContracts } from './deploy.ts';

type VerbCtx = { readonly config: Config; readonly store: Db };

/** Serves `purser chains deploy`. @throws CommandError, DeployError */
export async function deployCommand(
  { config }: VerbCtx,
  { argv, print }: CommandInput,
): Promise<void> {
  await deploy(config, { chain: parseCommand(argv, {}).positionals[1], print });
}

/** Serves `purser chains recount`. @throws CommandError */
export async function recountCommand(ctx: VerbCtx, { argv, print }: CommandInput): Promise<void> {
  const [, chain, address] = parseCommand(argv, {}).positionals;
  await recount(ctx, { chain, address, print });
}

async function deploy(
  config: Config,
  { chain, print }: { chain: string | undefined; print: Print },
): Promise<void> {
  const network = findEvmNetwork(chain ?? '');
  if (!network)
    throw new CommandError(
      'Name the EVM chain to deploy to, e.g. purser chains deploy base-sepolia.',
    );
  const url = config.evm.rpcUrls.get(network.name);
  if (url === undefined)
    throw new CommandError(
      `No node is configured for ${network.name}: set EVM_RPC_URL_${starOf(network.name)}.`,
    );
  const deployerKey = config.evm.treasuryKey;
  if (!deployerKey)
    throw new CommandError('EVM_TREASURY_KEY is not set: it pays for the deployment.');
  const testTokenOwner =
    network.testnet && config.environment !== 'production'
      ? privateKeyToAddress(deployerKey.reveal())
      : undefined;
  const rpc = createRpc({ url, timeoutMs: config.evm.rpcTimeoutMs });
  const { deployed, present } = await deployContracts({
    rpc,
    bounds: { ...network.bounds, ...config.evm.bounds?.get(network.name) },
    deployerKey,
    testTokenOwner,
    onProgress: print,
  });
  print(
    deployed.length === 0
      ? `Everything is on ${network.name} already.`
      : `${deployed.length} deployed, ${present.length} were there.`,
  );
}

/** For a key that was used elsewhere: its account begins with what the chain counts. */
async function recount(
  { store }: { readonly store: Db },
  {
    chain,
    address,
    print,
  }: { chain: string | undefined; address: string | undefined; print: Print },
): Promise<void> {
  if (chain === undefined || address === undefined)
    throw new CommandError(
      'Name chain and account, e.g. purser chains recount base-sepolia 0x…; `purser chains status` lists them.',
    );
  if (!(await forgetNextNonce(store, chain, address)))
    throw new CommandError(
      `There is no such account on ${chain}, or transactions of it are under way: look at \`purser chains status\`.`,
    );
  print(`${address} goes on with what ${chain} counts.`);
}
