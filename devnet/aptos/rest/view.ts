import { bcs } from '@mysten/bcs';
import { z } from 'zod';
import { longAddress, shortAddress } from '../../../src/chains/aptos/encoding/addresses.ts';
import { address } from '../../../src/chains/aptos/encoding/primitives.ts';
import { entryFunction } from '../../../src/chains/aptos/encoding/transactions.ts';
import { formatTypeTag, parseTypeTag } from '../../../src/chains/aptos/encoding/type-tags.ts';
import { NotServed } from '../execution/refusal.ts';
import { isCreated } from '../ledger/accounts.ts';
import { assetOfCoin, findAsset, findBalance, storeOf, supplyOf } from '../ledger/assets.ts';
import type { Reading } from '../ledger/state.ts';
import { invalid } from './answers.ts';

/** A view call: addresses and objects are its only arguments. */
interface View {
  readonly name: string;
  readonly types: readonly string[];
  readonly args: readonly string[];
}

const bodySchema = z.object({
  function: z.string().max(300),
  type_arguments: z.array(z.string().max(512)).max(8),
  arguments: z
    .array(z.union([z.string().max(100), z.object({ inner: z.string().max(100) })]))
    .max(8),
});

export function readViewJson(body: Uint8Array): View {
  const read = bodySchema.safeParse(JSON.parse(Buffer.from(body).toString()));
  if (!read.success)
    throw invalid(`The view call has another form: ${z.prettifyError(read.error)}`);
  const { function: asked, type_arguments: types, arguments: args } = read.data;
  const [at, module, name] = asked.split('::');
  return {
    name: `${shortAddress(at ?? '')}::${module}::${name}`,
    types: types.map((text) => formatTypeTag(parseTypeTag(text))),
    args: args.map((arg) => longAddress(typeof arg === 'string' ? arg : arg.inner)),
  };
}

export function readViewBcs(body: Uint8Array): View {
  const call = entryFunction.parse(body);
  return {
    name: `${shortAddress(call.address)}::${call.module}::${call.function}`,
    types: call.typeArgs.map(formatTypeTag),
    args: call.args.map((bytes) => bcs.struct('Argument', { value: address }).parse(bytes).value),
  };
}

const inObject = (asset: string) => ({ inner: shortAddress(asset) });

const views: Readonly<Record<string, (state: Reading, view: View) => unknown[]>> = {
  '0x1::primary_fungible_store::balance': (state, { args: [owner, asset] }) => [
    balanceOf(state, asset!, owner!),
  ],
  '0x1::primary_fungible_store::primary_store_address': (_state, { args: [owner, asset] }) => [
    shortAddress(storeOf(asset!, owner!)),
  ],
  '0x1::coin::balance': (state, { args: [owner], types: [type] }) => [
    balanceOf(state, assetOfCoin(parseTypeTag(type!)), owner!),
  ],
  '0x1::coin::decimals': (state, { types: [type] }) => [
    requireAsset(state, assetOfCoin(parseTypeTag(type!))).decimals,
  ],
  '0x1::coin::symbol': (state, { types: [type] }) => [
    requireAsset(state, assetOfCoin(parseTypeTag(type!))).symbol,
  ],
  '0x1::coin::name': (state, { types: [type] }) => [
    requireAsset(state, assetOfCoin(parseTypeTag(type!))).name,
  ],
  '0x1::coin::paired_metadata'(state, { types: [type] }) {
    const asset = assetOfCoin(parseTypeTag(type!));
    return [{ vec: findAsset(state, asset) ? [inObject(asset)] : [] }];
  },
  '0x1::fungible_asset::decimals': (state, { args: [asset] }) => [
    requireAsset(state, asset!).decimals,
  ],
  '0x1::fungible_asset::symbol': (state, { args: [asset] }) => [requireAsset(state, asset!).symbol],
  '0x1::fungible_asset::name': (state, { args: [asset] }) => [requireAsset(state, asset!).name],
  '0x1::fungible_asset::supply'(state, { args: [asset] }) {
    requireAsset(state, asset!);
    return [{ vec: [supplyOf(state, asset!).toString()] }];
  },
  '0x1::account::exists_at': (state, { args: [account] }) => [isCreated(state, account!)],
};

export function answerView(state: Reading, view: View): unknown[] {
  const run = Object.hasOwn(views, view.name) ? views[view.name] : undefined;
  if (!run)
    throw new NotServed(
      `The local chain has no Move VM: ${view.name} is not one of the views that it answers (${Object.keys(views).join(', ')}).`,
    );
  return run(state, view);
}

function balanceOf(state: Reading, asset: string, owner: string): string {
  requireAsset(state, asset);
  return (findBalance(state, asset, owner) ?? 0n).toString();
}

function requireAsset(state: Reading, asset: string) {
  const found = findAsset(state, asset);
  if (found) return found;
  throw invalid(
    `The Move function failed: there is no fungible asset at ${asset} (EOBJECT_DOES_NOT_EXIST(0x60002))`,
  );
}
