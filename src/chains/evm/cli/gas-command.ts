import type { Config } from '../../../config/config.ts';
import { CommandError, formatTable, type Print, parseCommand } from '../../../lib/command.ts';
import type { Db } from '../../../store/types.ts';
import { findEvmNetwork, listEvmNetworks } from '../config/networks.ts';
import { readOwnBudgets, readSpentToday, writeBudget } from '../relay/index.ts';
import { gasUsage } from './usage.ts';

export interface GasCommandInput {
  readonly argv: readonly string[];
  readonly print: Print;
  readonly projectOf: (named: string | undefined) => Promise<string>;
}

interface GasCtx {
  readonly config: Config;
  readonly store: Db;
}

const limitDefault = 20;
const limitMax = 500;

/** Serves `purser gas …`. @throws CommandError */
export async function gasCommand(ctx: GasCtx, { argv, print, projectOf }: GasCommandInput): Promise<void> {
  const {
    values,
    positionals: [verb],
  } = parseCommand(argv, {
    project: { type: 'string' },
    chain: { type: 'string' },
    'per-day': { type: 'string' },
    'owner-per-day': { type: 'string' },
    limit: { type: 'string' },
  });
  if (values.help || verb === undefined) return print(gasUsage);
  const projectId = await projectOf(values.project);
  if (verb === 'show') return show(ctx, { projectId, print, json: values.json === true, limit: readLimit(values.limit) });
  if (verb !== 'set') throw new CommandError(`Unknown command "gas ${verb}".\n\n${gasUsage}`);
  const network = findEvmNetwork(values.chain ?? '');
  if (!network) throw new CommandError('Name the EVM chain: --chain base-sepolia.');
  await writeBudget(ctx.store, {
    projectId,
    chain: network.name,
    projectDayWei: readWei('--per-day', values['per-day']),
    ownerDayWei: readWei('--owner-per-day', values['owner-per-day']),
  });
  const { projectMax, ownerMax } = await budgetsOf(ctx, projectId, network.name);
  print(`On ${network.name} the project may spend ${projectMax} wei in a day, each owner ${ownerMax}.`);
}

async function show(
  ctx: GasCtx,
  { projectId, print, json, limit }: { projectId: string; print: Print; json: boolean; limit: number },
): Promise<void> {
  const spent = await readSpentToday(ctx.store, { projectId, limit });
  const own = await readOwnBudgets(ctx.store, projectId);
  const chains = [...new Set([...spent, ...own].map(({ chain }) => chain))];
  const budgets = await Promise.all(chains.map(async (chain) => ({ chain, ...(await budgetsOf(ctx, projectId, chain)) })));
  if (json)
    return print(JSON.stringify({ budgets, spent }, (_key, value: unknown) => (typeof value === 'bigint' ? value.toString() : value), 2));
  print(
    formatTable(
      ['CHAIN', 'WEI A DAY', 'WEI A DAY AND OWNER'],
      budgets.map(({ chain, projectMax, ownerMax }) => [chain, projectMax.toString(), ownerMax.toString()]),
    ),
  );
  print('');
  print(
    formatTable(
      ['CHAIN', 'OWNER', 'WEI TODAY'],
      spent.map(({ chain, owner, spentWei }) => [chain, owner, spentWei.toString()]),
    ),
  );
}

/** As they hold: what the operator said of the project, or of the network. */
async function budgetsOf({ config, store }: GasCtx, projectId: string, chain: string): Promise<{ projectMax: bigint; ownerMax: bigint }> {
  const own = (await readOwnBudgets(store, projectId)).find((one) => one.chain === chain);
  const networks = listEvmNetworks({ local: config.environment === 'development', bounds: config.evm.bounds ?? new Map() });
  const { bounds } = networks.find((network) => network.name === chain)!;
  return { projectMax: own?.projectDayWei ?? bounds.projectDayMaxWei, ownerMax: own?.ownerDayWei ?? bounds.ownerDayMaxWei };
}

/** Null: the bound of the network. */
function readWei(option: string, text: string | undefined): bigint | null {
  if (text === undefined || text === 'default') return null;
  if (!/^\d{1,30}$/.test(text)) throw new CommandError(`${option} is a whole number of wei, or "default".`);
  return BigInt(text);
}

function readLimit(text: string | undefined): number {
  const limit = text === undefined ? limitDefault : Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > limitMax) throw new CommandError(`--limit is a number from 1 to ${limitMax}.`);
  return limit;
}
