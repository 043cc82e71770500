import { bcs } from '@mysten/bcs';
import { longAddress } from '../../../src/chains/aptos/encoding/addresses.ts';
import { address, u64 } from '../../../src/chains/aptos/encoding/primitives.ts';
import type { EntryFunction } from '../../../src/chains/aptos/encoding/transactions.ts';
import { formatTypeTag, type TypeTag } from '../../../src/chains/aptos/encoding/type-tags.ts';
import { createAccount, isCreated } from '../ledger/accounts.ts';
import {
  aptAsset,
  assetOfCoin,
  findAsset,
  findBalance,
  issue,
  setBalance,
  storeOf,
} from '../ledger/assets.ts';
import type { Draft } from '../ledger/state.ts';
import { Abort, NotServed } from './refusal.ts';

export interface Event {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Where a function writes what it does. */
export interface Run {
  readonly draft: Draft;
  readonly sender: string;
  readonly events: Event[];
  /** Stores that it changed: asset and owner. */
  readonly touched: Map<string, { readonly asset: string; readonly owner: string }>;
  /** Slots of storage that were not there before. */
  slots: number;
}

type Kind = 'address' | 'object' | 'u64';
type Value = string | bigint;

interface Served {
  readonly types: number;
  readonly params: readonly Kind[];
  run(run: Run, args: readonly Value[], types: readonly TypeTag[]): void;
}

/** The module that only local chains have: its one function mints assets that name a minter. */
export const localModule = { address: longAddress('0x10ca1'), name: 'test_token' } as const;

const own = `${localModule.address}::${localModule.name}`;
/** Every function that runs. */
const served: Readonly<Record<string, Served>> = {
  '0x1::aptos_account::create_account': {
    types: 0,
    params: ['address'],
    run: (run, [account]) => create(run, text(account)),
  },
  '0x1::aptos_account::transfer': {
    types: 0,
    params: ['address', 'u64'],
    run: (run, [to, amount]) => move(run, aptAsset, to, amount),
  },
  '0x1::aptos_account::transfer_coins': { types: 1, params: ['address', 'u64'], run: moveCoin },
  '0x1::coin::transfer': { types: 1, params: ['address', 'u64'], run: moveCoin },
  '0x1::primary_fungible_store::transfer': {
    types: 1,
    params: ['object', 'address', 'u64'],
    run(run, [asset, to, amount], [type]) {
      if (
        !['0x1::fungible_asset::Metadata', '0x1::object::ObjectCore'].includes(formatTypeTag(type!))
      )
        throw new Abort(
          'Move abort in 0x1::object: ERESOURCE_DOES_NOT_EXIST(0x60007): The object does not have the resource.',
        );
      move(run, text(asset), to, amount);
    },
  },
  [`${own}::mint`]: {
    types: 0,
    params: ['object', 'address', 'u64'],
    run(run, [asset, to, amount]) {
      if (requireAsset(run, text(asset)).minter !== run.sender)
        throw new Abort(
          `Move abort in ${own}: ENOT_MINTER(0x50001): The sender may not mint this asset.`,
        );
      put(run, text(asset), text(to), () =>
        issue(run.draft, text(asset), text(to), amount as bigint),
      );
      run.events.push(depositOf(text(asset), text(to), amount as bigint));
    },
  },
};

export const servedNames: readonly string[] = Object.keys(served);
const text = (value: Value | undefined) => value as string;

function create(run: Run, account: string): void {
  if (isCreated(run.draft, account))
    throw new Abort(
      'Move abort in 0x1::account: EACCOUNT_ALREADY_EXISTS(0x80001): Account already exists.',
    );
  createAccount(run.draft, account);
  run.slots++;
}

function moveCoin(run: Run, [to, amount]: readonly Value[], [type]: readonly TypeTag[]): void {
  move(run, assetOfCoin(type!), to, amount);
}

function requireAsset(run: Run, asset: string) {
  const found = findAsset(run.draft, asset);
  if (found) return found;
  throw new Abort(
    'Move abort in 0x1::object: EOBJECT_DOES_NOT_EXIST(0x60002): An object does not exist at this address.',
  );
}

function move(run: Run, asset: string, to: Value | undefined, amount: Value | undefined): void {
  requireAsset(run, asset);
  const units = amount as bigint;
  const has = findBalance(run.draft, asset, run.sender) ?? 0n;
  if (has < units)
    throw new Abort(
      'Move abort in 0x1::fungible_asset: EINSUFFICIENT_BALANCE(0x10004): Insufficient balance to withdraw or transfer.',
    );
  put(run, asset, run.sender, () => setBalance(run.draft, asset, run.sender, has - units));
  run.events.push({
    type: '0x1::fungible_asset::Withdraw',
    data: { amount: units.toString(), store: storeOf(asset, run.sender) },
  });
  const received = (findBalance(run.draft, asset, text(to)) ?? 0n) + units;
  put(run, asset, text(to), () => setBalance(run.draft, asset, text(to), received));
  run.events.push(depositOf(asset, text(to), units));
}

function put(run: Run, asset: string, owner: string, change: () => void): void {
  if (findBalance(run.draft, asset, owner) === undefined) run.slots++;
  change();
  run.touched.set(storeOf(asset, owner), { asset, owner });
}

function depositOf(asset: string, owner: string, amount: bigint): Event {
  return {
    type: '0x1::fungible_asset::Deposit',
    data: { amount: amount.toString(), store: storeOf(asset, owner) },
  };
}

const formats = { address, object: address, u64 } as const;

/** A call of a served function with its arguments. */
export interface ReadCall {
  readonly name: string;
  readonly args: readonly Value[];
  readonly paramKinds: readonly Kind[];
  run(run: Run): void;
}

const namedOf = (call: EntryFunction) =>
  `${/^0x0{63}1$/.test(call.address) ? '0x1' : call.address}::${call.module}::${call.function}`;

/** @throws NotServed by name, Error where arguments are of another form */
export function readCall(call: EntryFunction): ReadCall {
  const name = namedOf(call);
  const found = Object.hasOwn(served, name) ? served[name] : undefined;
  if (!found)
    throw new NotServed(
      `The local chain has no Move VM: ${name} is not one of the functions that it runs (${servedNames.join(', ')}).`,
    );
  if (call.args.length !== found.params.length || call.typeArgs.length !== found.types)
    throw new Error(`${name} takes ${found.types} types and ${found.params.length} arguments`);
  const args = found.params.map((kind, index) => readArgument(kind, call.args[index]!));
  return {
    name,
    args,
    paramKinds: found.params,
    run: (run) => found.run(run, args, call.typeArgs),
  };
}

function readArgument(kind: Kind, bytes: Uint8Array): Value {
  const format = bcs.struct('Argument', { value: formats[kind] as typeof address });
  const { value } = format.parse(bytes);
  if (!Buffer.from(format.serialize({ value }).toBytes()).equals(bytes))
    throw new Error(`an argument is no ${kind}`);
  return value;
}

/** The ABI of a module, as far as it is served: what clients look up before they encode a call. */
export function abiOf(module: string): object | undefined {
  const names = servedNames.filter((name) => name.startsWith(`${module}::`));
  if (names.length === 0) return undefined;
  const [at, own] = module.split('::');
  return {
    address: at,
    name: own,
    friends: [],
    structs: [],
    exposed_functions: names.map((name) => ({
      name: name.slice(module.length + 2),
      visibility: 'public',
      is_entry: true,
      is_view: false,
      generic_type_params: Array.from({ length: served[name]!.types }, () => ({ constraints: [] })),
      params: [
        '&signer',
        ...served[name]!.params.map((kind) =>
          kind === 'object' ? '0x1::object::Object<0x1::fungible_asset::Metadata>' : kind,
        ),
      ],
      return: [],
    })),
  };
}
