import type { Config } from '../../config/config.ts';
import {
  CommandError,
  type CommandInput,
  formatJson,
  formatTable,
  type Print,
  parseCommand,
  readLimit,
} from '../../lib/command.ts';
import type { Db } from '../../store/types.ts';
import { factsOfChain, families } from '../families.ts';
import type { FeeBook, OwnBudget } from '../family/spending/fee-book.ts';
import { gasUsage } from './usage.ts';

interface GasCtx {
  readonly config: Config;
  readonly store: Db;
}

interface Asked {
  readonly projectId: string;
  readonly print: Print;
  readonly json: boolean;
  readonly limit: number;
}

/**
 * Serves `purser gas …`, of every family.
 * @throws CommandError, ServiceError for a chain that is not known
 */
export async function gasCommand(
  ctx: GasCtx,
  { argv, print, projectOf }: CommandInput,
): Promise<void> {
  const {
    values,
    positionals: [verb],
  } = parseCommand(argv, { texts: ['project', 'chain', 'per-day', 'owner-per-day', 'limit'] });
  if (values.help || verb === undefined) return print(gasUsage);
  const projectId = await projectOf(values.project);
  if (verb === 'show')
    return show(ctx, {
      projectId,
      print,
      json: values.json === true,
      limit: readLimit(values.limit, { fallback: 20 }),
    });
  if (verb !== 'set') throw new CommandError(`Unknown command "gas ${verb}".\n\n${gasUsage}`);
  if (values.chain === undefined) throw new CommandError('Name the chain: --chain base-sepolia.');
  const chain = values.chain;
  const book = await factsOfChain(chain).code?.loadFees();
  if (!book?.boundsOf(ctx.config, chain))
    throw new CommandError(
      `Nothing is paid on "${chain}": name a chain, as in --chain base-sepolia.`,
    );
  await book.write(ctx.store, projectId, {
    chain,
    projectDayMinor: readMinor('--per-day', values['per-day'], book),
    ownerDayMinor: readMinor('--owner-per-day', values['owner-per-day'], book),
  });
  const { projectMax, ownerMax } = budgetOn(ctx.config, {
    book,
    chain,
    own: await book.readOwn(ctx.store, projectId),
  });
  print(
    `On ${chain} the project may spend ${projectMax} ${book.unit} in a day, each owner ${ownerMax}.`,
  );
}

async function show(
  { config, store }: GasCtx,
  { projectId, print, json, limit }: Asked,
): Promise<void> {
  const books = await Promise.all(families.flatMap(({ code }) => code?.loadFees() ?? []));
  const pages = await Promise.all(
    books.map(async (book) => {
      const [spent, own] = await Promise.all([
        book.readSpent(store, { projectId, limit }),
        book.readOwn(store, projectId),
      ]);
      const chains = [...new Set([...spent, ...own].map(({ chain }) => chain))];
      return {
        budgets: chains.map((chain) => ({
          chain,
          unit: book.unit,
          ...budgetOn(config, { book, chain, own }),
        })),
        spent: spent.map((one) => ({ ...one, unit: book.unit })),
      };
    }),
  );
  const [budgets, spent] = [
    pages.flatMap((page) => page.budgets),
    pages.flatMap((page) => page.spent).slice(0, limit),
  ];
  if (json) return print(formatJson({ budgets, spent }));
  print(
    formatTable(
      ['CHAIN', 'A DAY', 'A DAY AND OWNER', 'UNIT'],
      budgets.map(({ chain, projectMax, ownerMax, unit }) => [
        chain,
        projectMax.toString(),
        ownerMax.toString(),
        unit,
      ]),
    ),
  );
  print('');
  print(
    formatTable(
      ['CHAIN', 'OWNER', 'TODAY', 'UNIT'],
      spent.map(({ chain, owner, minor, unit }) => [chain, owner, minor.toString(), unit]),
    ),
  );
}

interface BudgetInput {
  readonly book: FeeBook;
  readonly chain: string;
  readonly own: readonly OwnBudget[];
}

/**
 * As they hold: what the operator said of the project, or of the network. A chain that is not
 * served any more has what was said.
 */
function budgetOn(
  config: Config,
  { book, chain, own }: BudgetInput,
): { readonly projectMax: bigint; readonly ownerMax: bigint } {
  const bounds = book.boundsOf(config, chain);
  const said = own.find((one) => one.chain === chain);
  return {
    projectMax: said?.projectDayMinor ?? bounds?.projectDayMaxMinor ?? 0n,
    ownerMax: said?.ownerDayMinor ?? bounds?.ownerDayMaxMinor ?? 0n,
  };
}

/** Null: the bound of the network. */
function readMinor(option: string, text: string | undefined, { unit }: FeeBook): bigint | null {
  if (text === undefined || text === 'default') return null;
  if (!/^\d{1,30}$/.test(text))
    throw new CommandError(`${option} is a whole number of ${unit}, or "default".`);
  return BigInt(text);
}
