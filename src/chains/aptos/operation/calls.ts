import { shortAddress } from '../encoding/addresses.ts';
import { address, u64 } from '../encoding/primitives.ts';
import type { EntryFunction } from '../encoding/transactions.ts';
import { formatTypeTag, parseTypeTag } from '../encoding/type-tags.ts';
import { type Asset, aptCoin, isApt, metadataType } from '../tokens/assets.ts';

/** A call that does nothing but move one token from the sender to somebody. */
export interface PlainTransfer {
  readonly asset: Asset;
  readonly recipient: string;
  readonly amountMinor: bigint;
}

const framework = `0x${'0'.repeat(63)}1`;
const bytesOf = (format: { serialize(value: never): { toBytes(): Uint8Array } }, value: unknown) =>
  new Uint8Array(format.serialize(value as never).toBytes());

/**
 * The call of a plain transfer. APT and coins go by `aptos_account`, which makes the recipient's
 * store.
 */
export function transferCall({ asset, recipient, amountMinor }: PlainTransfer): EntryFunction {
  const rest = [bytesOf(address, recipient), bytesOf(u64, amountMinor)];
  const common = { address: framework, typeArgs: [] };
  if (isApt(asset)) return { ...common, module: 'aptos_account', function: 'transfer', args: rest };
  if (asset.kind === 'coin')
    return {
      ...common,
      module: 'aptos_account',
      function: 'transfer_coins',
      typeArgs: [parseTypeTag(asset.type)],
      args: rest,
    };
  return {
    ...common,
    module: 'primary_fungible_store',
    function: 'transfer',
    typeArgs: [parseTypeTag(metadataType)],
    args: [bytesOf(address, asset.address), ...rest],
  };
}

export const functionName = (call: EntryFunction) =>
  `${shortAddress(call.address)}::${call.module}::${call.function}`;

/** Undefined: the call is something else, or of another form. */
export function readPlainTransfer(call: EntryFunction): PlainTransfer | undefined {
  try {
    return readKnown(call);
  } catch {
    return undefined;
  }
}

function readKnown(call: EntryFunction): PlainTransfer | undefined {
  const { typeArgs, args } = call;
  const [recipient, amount] = args.slice(-2);
  const rest = () => ({
    recipient: exactly(address, recipient!),
    amountMinor: exactly(u64, amount!),
  });
  switch (functionName(call)) {
    case '0x1::aptos_account::transfer':
      return args.length === 2 && typeArgs.length === 0 ? { asset: aptCoin, ...rest() } : undefined;
    case '0x1::aptos_account::transfer_coins':
    case '0x1::coin::transfer':
      return args.length === 2 && typeArgs.length === 1
        ? { asset: { kind: 'coin', type: formatTypeTag(typeArgs[0]!) }, ...rest() }
        : undefined;
    case '0x1::primary_fungible_store::transfer':
      return args.length === 3 && typeArgs.length === 1
        ? { asset: { kind: 'asset', address: exactly(address, args[0]!) }, ...rest() }
        : undefined;
    default:
      return undefined;
  }
}

interface Format<T> {
  parse(bytes: Uint8Array): T;
  serialize(value: T): { toBytes(): Uint8Array };
}

/** @throws Error where something is behind the value */
function exactly<T>(format: Format<T>, bytes: Uint8Array): T {
  const value = format.parse(bytes);
  if (!Buffer.from(format.serialize(value).toBytes()).equals(bytes))
    throw new Error('an argument is longer than its value');
  return value;
}
