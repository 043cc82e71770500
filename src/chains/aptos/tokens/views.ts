import { z } from 'zod';
import type { AptosNode } from '../rpc/node.ts';
import { RestRefusal } from '../rpc/rest.ts';
import { type Asset, metadataType } from './assets.ts';

const u64 = z
  .tuple([z.string().regex(/^\d{1,20}$/)])
  .transform(([text]) => BigInt(text))
  .refine((amount) => amount < 2n ** 64n);

interface ViewInput<T> {
  readonly name: string;
  readonly types: readonly string[];
  readonly args: readonly string[];
  readonly schema: z.ZodType<T>;
  /** Of the state; absent: the newest. */
  readonly version?: bigint | undefined;
}

/**
 * What a view of the framework answers; undefined: it refuses, as it does where no such token
 * stands.
 */
async function view<T>(
  node: AptosNode,
  { name, types, args, schema, version }: ViewInput<T>,
): Promise<T | undefined> {
  try {
    const { value } = await node.post(
      `/view${version === undefined ? '' : `?ledger_version=${version}`}`,
      { function: name, type_arguments: types, arguments: args },
      schema,
    );
    return value;
  } catch (error) {
    if (error instanceof RestRefusal && (error.status === 400 || error.status === 404))
      return undefined;
    throw error;
  }
}

/** What an address holds, or held at a version; undefined: there is no such token. */
export function readAmount(
  node: AptosNode,
  owner: string,
  asset: Asset,
  version?: bigint,
): Promise<bigint | undefined> {
  const common = { schema: u64, version };
  return asset.kind === 'coin'
    ? view(node, { ...common, name: '0x1::coin::balance', types: [asset.type], args: [owner] })
    : view(node, {
        ...common,
        name: '0x1::primary_fungible_store::balance',
        types: [metadataType],
        args: [owner, asset.address],
      });
}

export interface AssetFacts {
  readonly symbol: string;
  readonly name: string;
  readonly decimals: number;
}

/** What a token says of itself, words of strangers; undefined: there is none. */
export async function readFacts(node: AptosNode, asset: Asset): Promise<AssetFacts | undefined> {
  const module = asset.kind === 'coin' ? '0x1::coin' : '0x1::fungible_asset';
  const types = [asset.kind === 'coin' ? asset.type : metadataType];
  const args = asset.kind === 'coin' ? [] : [asset.address];
  const ask = <T>(what: string, schema: z.ZodType<T>) =>
    view(node, { name: `${module}::${what}`, types, args, schema });
  const [decimals, symbol, name] = await Promise.all([
    ask('decimals', z.tuple([z.int().min(0).max(255)])),
    ask('symbol', z.tuple([z.string().max(200)])),
    ask('name', z.tuple([z.string().max(500)])),
  ]);
  return decimals && symbol && name && { decimals: decimals[0], symbol: symbol[0], name: name[0] };
}
