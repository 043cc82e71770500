import { bcs, TypeTagSerializer } from '@mysten/sui/bcs';
import { normalizeStructTag, normalizeSuiAddress } from '@mysten/sui/utils';
import {
  type Argument,
  type CallArg,
  type Command,
  type ObjectRef,
  type Program,
  programBytes,
} from './program.ts';

/** A plain transfer. It says nothing of coins: which pay is found out when it is sent. */
export interface Transfer {
  /** Normalised. */
  readonly coinType: string;
  /** u64, not 0. */
  readonly amount: bigint;
  readonly recipient: string;
  /** UTF-8, see {@link memoCommand}. */
  readonly memo?: string;
}

/** How many coins one transfer may be made of; the network's objects per transaction are 2,048. */
export const coinsPerTransferMax = 256;

const framework = normalizeSuiAddress('0x2');
const stdlib = normalizeSuiAddress('0x1');

/**
 * The largest coins that make up an amount, as many as there are of them: what they are worth
 * together may be less.
 */
export function chooseCoins<Coin extends { readonly amount: bigint }>(
  all: readonly Coin[],
  amount: bigint,
): Coin[] {
  const chosen: Coin[] = [];
  let sum = 0n;
  for (const coin of all
    .toSorted((one, other) => (one.amount < other.amount ? 1 : -1))
    .slice(0, coinsPerTransferMax)) {
    if (chosen.length > 0 && sum >= amount) break;
    chosen.push(coin);
    sum += coin.amount;
  }
  return chosen;
}

/**
 * The program of a transfer from these coins, the first of which takes in the others and keeps what
 * is left, or from the coin that pays for it where that is the sender's own. Coins are joined and
 * split by functions with a type argument, and not by the commands for it: the type of the coin is
 * then a part of what is signed, and whoever chooses the coins cannot choose other money.
 */
export function transferProgram(transfer: Transfer, from: readonly ObjectRef[] | 'gas'): Program {
  const { coinType, amount, recipient, memo } = transfer;
  const coins = from === 'gas' ? [] : from;
  if (from !== 'gas' && (coins.length === 0 || coins.length > coinsPerTransferMax))
    throw new RangeError(`A transfer is made of 1 to ${coinsPerTransferMax} coins`);
  const inputs: CallArg[] = coins.map((coin) => ({
    $kind: 'Object',
    Object: {
      $kind: 'ImmOrOwnedObject',
      ImmOrOwnedObject: { objectId: coin.objectId, version: coin.version, digest: coin.digest },
    },
  }));
  const pure = (bytes: Uint8Array): Argument => {
    inputs.push({ $kind: 'Pure', Pure: { bytes: Buffer.from(bytes).toString('base64') } });
    return input(inputs.length - 1);
  };
  const source: Argument = from === 'gas' ? { $kind: 'GasCoin', GasCoin: true } : input(0);
  const commands: Command[] = joinCommands(coinType, coins.length);
  const splitting = commands.length;
  commands.push(
    call({ package: framework, module: 'coin', function: 'split', type: coinType }, [
      source,
      pure(bcs.U64.serialize(amount).toBytes()),
    ]),
    {
      $kind: 'TransferObjects',
      TransferObjects: {
        objects: [{ $kind: 'Result', Result: splitting }],
        address: pure(bcs.Address.serialize(recipient).toBytes()),
      },
    },
  );
  if (memo !== undefined) commands.push(memoCommand(pure(bcs.String.serialize(memo).toBytes())));
  return { inputs, commands };
}

const input = (index: number): Argument => ({ $kind: 'Input', Input: index });

function joinCommands(coinType: string, count: number): Command[] {
  if (count <= 1) return [];
  const type = normalizeStructTag(`${framework}::coin::Coin<${coinType}>`);
  const elements = Array.from({ length: count - 1 }, (_, index) => input(index + 1));
  const into: Argument = { $kind: 'Result', Result: 0 };
  return [
    { $kind: 'MakeMoveVec', MakeMoveVec: { type, elements } },
    call({ package: framework, module: 'pay', function: 'join_vec', type: coinType }, [
      input(0),
      into,
    ]),
  ];
}

interface Target {
  readonly package: string;
  readonly module: string;
  readonly function: string;
  readonly type?: string;
}

function call({ type, ...target }: Target, given: readonly Argument[]): Command {
  const typeArguments = type === undefined ? [] : [type];
  return { $kind: 'MoveCall', MoveCall: { ...target, typeArguments, arguments: [...given] } };
}

/**
 * Sui has no memos: a text stands as an input that `0x1::string::utf8` is called with, and whose
 * result nobody uses. The function fails for bytes that are no UTF-8.
 */
function memoCommand(bytes: Argument): Command {
  return call({ package: stdlib, module: 'string', function: 'utf8' }, [bytes]);
}

/**
 * The transfer that a program is, word for word; undefined for any other program, however much it
 * resembles one.
 */
export function readTransfer(
  program: Program,
): { readonly transfer: Transfer; readonly from: readonly ObjectRef[] | 'gas' } | undefined {
  const { inputs, commands } = program;
  const split = commands.find(({ MoveCall: one }) => one?.function === 'split')?.MoveCall;
  const to = commands.find(({ TransferObjects: one }) => one !== undefined)?.TransferObjects;
  const bytesOf = (argument: Argument | undefined) =>
    argument?.Input === undefined ? undefined : inputs[argument.Input]?.Pure?.bytes;
  const [amount, recipient, coinType] = [
    bytesOf(split?.arguments[1]),
    bytesOf(to?.address),
    readCoinType(split?.typeArguments[0] ?? ''),
  ];
  const coins = inputs.flatMap(({ Object: object }) => object?.ImmOrOwnedObject ?? []);
  if (amount === undefined || recipient === undefined || coinType === undefined) return undefined;
  const from = coins.length === 0 ? 'gas' : coins;
  try {
    const [memo] = memosOf(program);
    const transfer: Transfer = {
      coinType,
      amount: BigInt(bcs.U64.parse(Buffer.from(amount, 'base64'))),
      recipient: bcs.Address.parse(Buffer.from(recipient, 'base64')),
      ...(memo !== undefined && { memo }),
    };
    const isSame =
      Buffer.compare(programBytes(transferProgram(transfer, from)), programBytes(program)) === 0;
    return isSame && transfer.amount > 0n ? { transfer, from } : undefined;
  } catch {
    return undefined;
  }
}

/** Texts that a program carries as {@link memoCommand} writes them. */
export function memosOf({ inputs, commands }: Program): string[] {
  return commands.flatMap(({ MoveCall: one }) => {
    if (one?.package !== stdlib || one.module !== 'string' || one.function !== 'utf8') return [];
    const [argument] = one.arguments;
    const bytes = argument?.Input === undefined ? undefined : inputs[argument.Input]?.Pure?.bytes;
    return bytes === undefined ? [] : readText(Buffer.from(bytes, 'base64'));
  });
}

function readText(bytes: Uint8Array): string[] {
  try {
    const text = bcs.String.parse(bytes);
    return Buffer.compare(bcs.String.serialize(text).toBytes(), bytes) === 0 ? [text] : [];
  } catch {
    return [];
  }
}

/** The one spelling of a coin's type; undefined for text that is none. */
export function readCoinType(text: string): string | undefined {
  try {
    const type = normalizeStructTag(text);
    return 'struct' in TypeTagSerializer.parseFromStr(type, true) ? type : undefined;
  } catch {
    return undefined;
  }
}
