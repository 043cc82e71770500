import type { Ctx } from '../../context.ts';
import {
  CommandError,
  type CommandInput,
  type CommandValues,
  formatJson,
  formatTable,
  parseCommand,
  readLimit,
} from '../../lib/command.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import { deployTestCollection } from './deploy-test.ts';
import { addCollection, type OfferTerms, sellToken } from './offers.ts';
import { type Offer, selectOffer, selectOffers, stopOffer } from './store.ts';
import { collectionsUsage } from './usage.ts';

const options = {
  texts: [
    'project',
    'chain',
    'contract',
    'standard',
    'token-id',
    'mint',
    'call-data',
    'price',
    'currency',
    'name',
    'description',
    'image',
    'supply',
    'per-order',
    'per-recipient',
    'limit',
  ],
  flags: ['free', 'all'],
} as const;

type Values = CommandValues<typeof options>;

/**
 * Serves `purser collections …`.
 * @throws CommandError, ServiceError
 */
export async function collectionsCommand(
  ctx: Ctx,
  { argv, print, projectOf }: CommandInput,
): Promise<void> {
  const {
    values,
    positionals: [verb, named],
  } = parseCommand(argv, options);
  if (values.help || verb === undefined) return print(collectionsUsage);
  const projectId = await projectOf(values.project);
  const show = (value: unknown, text: string) => print(values.json ? formatJson(value) : text);
  switch (verb) {
    case 'add': {
      if (values.chain === undefined || values.contract === undefined)
        throw new CommandError('--chain and --contract say which collection.');
      const offer = await addCollection(ctx, {
        ...readTerms(projectId, values),
        chain: values.chain,
        address: values.contract,
        standard: values.standard,
        tokenId: values['token-id'],
        mintFunction: values.mint,
        callData: readCallData(values['call-data']),
      });
      return show(
        offer,
        `${describeOffer(offer)}\nOrders name it by collectionLocator: ${offer.id} or ${locatorOf(offer)}`,
      );
    }
    case 'sell': {
      if (named === undefined)
        throw new CommandError(
          'Which token? purser collections sell <chain>:<contract>:<tokenId> --price 12.50',
        );
      const offer = await sellToken(ctx, { ...readTerms(projectId, values), tokenLocator: named });
      return show(
        offer,
        `${describeOffer(offer)}\nOrders name it by tokenLocator: ${locatorOf(offer)}`,
      );
    }
    case 'list': {
      const limit = readLimit(values.limit);
      const offers = await selectOffers(ctx.store, {
        projectId,
        stoppedToo: values.all === true,
        limit,
      });
      const rows = offers.map((offer) => [
        offer.id,
        offer.kind,
        locatorOf(offer),
        offer.name,
        priceOf(offer),
        takenOf(offer),
        stateOf(offer),
      ]);
      return show(
        offers,
        rows.length === 0
          ? 'Nothing is sold.'
          : formatTable(['ID', 'KIND', 'WHAT', 'NAME', 'PRICE', 'TAKEN', 'STATE'], rows),
      );
    }
    case 'show': {
      const offer = await requireOffer(ctx, projectId, named);
      return show(offer, describeOffer(offer));
    }
    case 'stop': {
      const { id } = await requireOffer(ctx, projectId, named);
      const stopped = await stopOffer(ctx.store, { projectId, id, at: ctx.clock.now() });
      return show(
        { id, stopped },
        stopped ? `${id} is not sold any more.` : `${id} was stopped before.`,
      );
    }
    case 'deploy-test': {
      if (values.chain === undefined) throw new CommandError('--chain says where.');
      const made = await deployTestCollection(ctx, {
        projectId,
        chain: values.chain,
        standard: values.standard ?? 'erc721',
      });
      return show(
        made,
        `${made.address} will be there in a moment: purser collections add --chain ${values.chain} --contract ${made.address} --free`,
      );
    }
    default:
      throw new CommandError(`Unknown command "collections ${verb}".\n\n${collectionsUsage}`);
  }
}

async function requireOffer(ctx: Ctx, projectId: string, id: string | undefined): Promise<Offer> {
  if (id === undefined) throw new CommandError('Which one? Its id is in purser collections list.');
  const isId = /^[0-9a-f-]{36}$/.test(id);
  const offer = isId ? await selectOffer(ctx.store, { projectId, id }) : undefined;
  if (!offer)
    throw new CommandError(
      `This project sells nothing with the id ${id}: see purser collections list --all.`,
    );
  return offer;
}

/** Free is said, not forgotten. */
function readTerms(projectId: string, values: Values): OfferTerms {
  const { price, currency = 'usd', free } = values;
  if ((price === undefined) === (free !== true))
    throw new CommandError('Say --price 12.50, or --free: one of them.');
  return {
    projectId,
    name: values.name,
    description: values.description,
    imageUrl: values.image,
    price: price === undefined ? undefined : { amount: price, currency },
    supplyMax: readCount('supply', values.supply),
    perOrderMax: readCount('per-order', values['per-order']),
    perRecipientMax: readCount('per-recipient', values['per-recipient']),
  };
}

function readCount(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,9}$/.test(text)) throw new CommandError(`--${option} is a whole number from 1.`);
  return Number(text);
}

function readCallData(text: string | undefined): JsonObject | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as JsonObject;
  } catch {
    // Said below, like JSON of another shape.
  }
  throw new CommandError('--call-data is a JSON object, e.g. \'{"tier":"1"}\'.');
}

const locatorOf = ({ chain, address, tokenId }: Offer) =>
  `${chain}:${address}${tokenId === undefined ? '' : `:${tokenId}`}`;
const priceOf = ({ price }: Offer) => (price ? `${price.amount} ${price.currency}` : 'free');
const takenOf = ({ taken, supplyMax }: Offer) => `${taken} of ${supplyMax ?? 'any number'}`;
const stateOf = ({ stoppedAt }: Offer) =>
  stoppedAt ? `stopped ${stoppedAt.toISOString()}` : 'sold';

function describeOffer(offer: Offer): string {
  const {
    id,
    kind,
    name,
    standard,
    mintFunction,
    perOrderMax,
    perRecipientMax,
    description,
    imageUrl,
  } = offer;
  const lines = [
    `${id}  ${name}`,
    `${kind === 'mint' ? 'new items of' : 'the token'} ${locatorOf(offer)} (${standard})${mintFunction === undefined ? '' : `, minted by ${mintFunction}`}`,
    `${priceOf(offer)}; ${takenOf(offer)} taken; at most ${perOrderMax} per order${perRecipientMax === undefined ? '' : `, ${perRecipientMax} per recipient`}; ${stateOf(offer)}`,
    ...[description, imageUrl].flatMap((line) => line ?? []),
  ];
  return lines.join('\n');
}
