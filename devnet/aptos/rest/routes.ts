import { z } from 'zod';
import { longAddress, shortAddress } from '../../../src/chains/aptos/encoding/addresses.ts';
import { decodeSigned } from '../../../src/chains/aptos/encoding/transactions.ts';
import { rules } from '../execution/execute.ts';
import { abiOf } from '../execution/functions.ts';
import { sequenceOf } from '../ledger/accounts.ts';
import { aptAsset, findAsset, findBalance, readAssetName } from '../ledger/assets.ts';
import type { Chain } from '../ledger/chain.ts';
import { type Answer, invalid, notFound, RestError } from './answers.ts';
import {
  describeBlockEntry,
  describeGenesis,
  describePending,
  type TransactionJson,
} from './transaction-json.ts';
import { answerView, readViewBcs, readViewJson } from './view.ts';

export interface Asked {
  readonly method: string;
  /** Below `/v1`, in parts. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  readonly contentType: string;
  readonly body: Uint8Array;
}

const listMax = 100;
const waitMs = 1_000;
const signedType = 'application/x.aptos.signed_transaction+bcs';
const viewType = 'application/x.aptos.view_function+bcs';
const ok = (body: unknown): Answer => ({ status: 200, body });

export async function answer(chain: Chain, asked: Asked): Promise<Answer> {
  const { path, method } = asked;
  const route = `${method} ${path[0] ?? ''}`;
  if (route === 'GET ') return ok(indexOf(chain));
  if (route === 'GET -') return ok({ message: 'aptos-node:ok' });
  if (route === 'GET estimate_gas_price') return ok(prices());
  if (route === 'GET accounts') return ok(answerAccount(chain, path.slice(1)));
  if (route === 'GET blocks') return ok(answerBlock(chain, asked));
  if (route === 'GET transactions') return ok(await answerTransaction(chain, asked));
  if (route === 'POST transactions') return submit(chain, asked);
  if (route === 'POST view') {
    requireNewest(chain, asked.query.get('ledger_version'));
    return ok(
      answerView(
        chain.state,
        asked.contentType.startsWith(viewType) ? readViewBcs(asked.body) : readViewJson(asked.body),
      ),
    );
  }
  if (route === 'POST mint') return ok(mint(chain, asked));
  throw notFound(`Path ${path.join('/')}`);
}

/**
 * State is kept of the newest version alone; a node keeps more, and refuses what it has pruned in
 * these words.
 */
function requireNewest(chain: Chain, asked: string | null): void {
  if (asked === null || readNumber(asked) === chain.version) return;
  if (readNumber(asked) > chain.version) throw notFound(`Ledger version ${asked}`);
  throw new RestError(410, 'version_pruned', `Ledger version(${asked}) has been pruned`);
}

const priceOf = (percent: bigint) => Number((rules.gasUnitPriceMin * percent) / 100n);
const prices = () => ({
  deprioritized_gas_estimate: priceOf(100n),
  gas_estimate: priceOf(100n),
  prioritized_gas_estimate: priceOf(150n),
});

function indexOf(chain: Chain): object {
  return {
    chain_id: rules.chainId,
    epoch: '1',
    ledger_version: chain.version.toString(),
    oldest_ledger_version: chain.oldestVersion.toString(),
    ledger_timestamp: chain.timestampUs.toString(),
    node_role: 'full_node',
    oldest_block_height: Math.floor(chain.oldestVersion / 2).toString(),
    block_height: Math.floor(chain.version / 2).toString(),
    git_hash: 'emulator',
  };
}

/**
 * `{address}`, with `balance/{asset}`, `module/{name}`, `resource/{type}` or `resources` behind it.
 */
function answerAccount(chain: Chain, [text = '', part, name = '']: readonly string[]): unknown {
  const account = longAddress(text);
  if (part === undefined)
    return {
      sequence_number: sequenceOf(chain.state, account).toString(),
      authentication_key: account,
    };
  if (part === 'balance')
    return Number(findBalance(chain.state, readAssetName(name), account) ?? 0n);
  if (part === 'module') {
    const abi = abiOf(`${shortAddress(account)}::${name}`);
    if (!abi) throw notFound(`Module ${text}::${name}`);
    return { bytecode: '0x', abi };
  }
  const asset = findAsset(chain.state, account);
  const resources = asset
    ? [
        {
          type: '0x1::fungible_asset::Metadata',
          data: { ...asset, minter: undefined, icon_uri: '', project_uri: '' },
        },
      ]
    : [];
  if (part === 'resources') return resources;
  const found = part === 'resource' && resources.find(({ type }) => type === name);
  if (!found) throw notFound(`Resource ${name} at ${text}`);
  return found;
}

function answerBlock(chain: Chain, { path: [, kind, text = ''], query }: Asked): object {
  const number = readNumber(text);
  const height = kind === 'by_version' ? Math.ceil(number / 2) : number;
  const record =
    kind === 'by_version' || kind === 'by_height' ? chain.byVersion(height * 2) : undefined;
  if (!record) throw notFound(`Block ${text}`);
  const transactions = [describeBlockEntry(record.version - 1, record.timestampUs), record.json];
  return {
    block_height: height.toString(),
    block_hash: transactions[0]!['hash'],
    block_timestamp: record.timestampUs,
    first_version: (record.version - 1).toString(),
    last_version: record.version.toString(),
    transactions: query.get('with_transactions') === 'true' ? transactions : null,
  };
}

async function answerTransaction(
  chain: Chain,
  { path: [, kind, text = ''], query }: Asked,
): Promise<unknown> {
  if (kind === undefined) return listTransactions(chain, query);
  if (kind === 'by_version')
    return (
      transactionAt(chain, requireKept(chain, readNumber(text))) ?? fail(`Transaction ${text}`)
    );
  const hash = /^0x[0-9a-f]{64}$/.test(text) ? text : fail(`Transaction ${text}`);
  if (kind === 'wait_by_hash' && !chain.byHash(hash)) await chain.nextTransaction(waitMs);
  if (kind !== 'by_hash' && kind !== 'wait_by_hash') throw notFound(`Path ${kind}`);
  return (chain.byHash(hash) ?? fail(`Transaction ${hash}`)).json;
}

function fail(what: string): never {
  throw notFound(what);
}

function listTransactions(chain: Chain, query: URLSearchParams): TransactionJson[] {
  const limit = Math.min(listMax, readNumber(query.get('limit') ?? '25'));
  const start = readNumber(query.get('start') ?? Math.max(1, chain.version - limit + 1).toString());
  if (start > chain.version) throw notFound(`Version ${start}`);
  requireKept(chain, start);
  return Array.from({ length: limit }, (_, index) => transactionAt(chain, start + index)).filter(
    (one) => one !== undefined,
  );
}

function requireKept(chain: Chain, version: number): number {
  if (version >= chain.oldestVersion) return version;
  throw new RestError(
    410,
    'version_pruned',
    `Version ${version} has been pruned: the oldest is ${chain.oldestVersion}`,
  );
}

function transactionAt(chain: Chain, version: number): TransactionJson | undefined {
  if (version === 0) return describeGenesis();
  const own = chain.byVersion(version);
  if (own) return own.json;
  const next = chain.byVersion(version + 1);
  return next && describeBlockEntry(version, next.timestampUs);
}

function readNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw invalid(`"${text.slice(0, 40)}" is no number`);
  return Number(text);
}

function submit(chain: Chain, { path: [, kind], contentType, body }: Asked): Answer {
  if (!contentType.startsWith(signedType))
    throw invalid(`The local chain takes transactions as ${signedType}`);
  if (kind === 'simulate') return ok([chain.simulate(body).json]);
  if (kind !== undefined) throw notFound(`Path transactions/${kind}`);
  const record = chain.submit(body);
  const { arguments: args } = record.json['payload'] as { readonly arguments: readonly string[] };
  return { status: 202, body: describePending(record.hash, decodeSigned(body), args) };
}

const mintSchema = z.object({
  address: z.string(),
  amount: z.string().regex(/^\d{1,19}$/),
  asset: z.string().optional(),
});

/** What a faucet would do. */
function mint(chain: Chain, { body }: Asked): object {
  const { address, amount, asset } = mintSchema.parse(JSON.parse(Buffer.from(body).toString()));
  const named = asset === undefined ? aptAsset : readAssetName(asset);
  if (!findAsset(chain.state, named)) throw notFound(`Asset ${asset}`);
  chain.give(named, longAddress(address), BigInt(amount));
  return { address, amount };
}
