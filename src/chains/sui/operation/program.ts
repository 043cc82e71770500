import { bcs } from '@mysten/sui/bcs';

export type CallArg = typeof bcs.CallArg.$inferType;
export type Command = typeof bcs.Command.$inferType;
export type Argument = typeof bcs.Argument.$inferType;

/** What a transaction does, without who pays for it. */
export interface Program {
  readonly inputs: readonly CallArg[];
  readonly commands: readonly Command[];
}

export interface ObjectRef {
  readonly objectId: string;
  readonly version: string;
  readonly digest: string;
}

/** Of one transaction; the network takes 128 KB, 2,048 inputs and 1,024 commands. */
const limits = { bytesMax: 64 * 1024, inputsMax: 512, commandsMax: 256 } as const;

/**
 * A program from the text of `params.transaction`: the kind of a transaction
 * (`build({ onlyTransactionKind: true })`), or a whole one whose sender is the wallet. Gas, price
 * and expiry of a whole one are the service's to say.
 * @throws TypeError with the rest of a sentence about the transaction
 */
export function readProgram(text: string, wallet: string): Program {
  const bytes = readBase64(text);
  const whole = parseExactly(bcs.TransactionData, bytes)?.V1;
  if (whole && whole.sender !== wallet)
    throw new TypeError(`is sent by ${whole.sender}, and not by the wallet`);
  const kind = whole?.kind ?? parseExactly(bcs.TransactionKind, bytes);
  const program = kind?.ProgrammableTransaction;
  if (!program)
    throw new TypeError(
      'is no programmable transaction of Sui: send the BCS of its kind in base64',
    );
  const { inputs, commands } = program;
  if (commands.length === 0) throw new TypeError('has no commands');
  if (commands.length > limits.commandsMax)
    throw new TypeError(`has more than ${limits.commandsMax} commands`);
  if (inputs.length > limits.inputsMax)
    throw new TypeError(`has more than ${limits.inputsMax} inputs`);
  return { inputs, commands };
}

function readBase64(text: string): Uint8Array {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length === 0 || bytes.toString('base64') !== text) throw new TypeError('is not base64');
  if (bytes.length > limits.bytesMax) throw new TypeError(`has more than ${limits.bytesMax} bytes`);
  return bytes;
}

interface Coder<Input, Output extends Input> {
  parse(bytes: Uint8Array): Output;
  serialize(value: Input): { toBytes(): Uint8Array };
}

/** Bytes have one reading and no rest: written again, they are the same. */
export function parseExactly<Input, Output extends Input>(
  type: Coder<Input, Output>,
  bytes: Uint8Array,
): Output | undefined {
  try {
    const value = type.parse(bytes);
    return Buffer.compare(type.serialize(value).toBytes(), bytes) === 0 ? value : undefined;
  } catch {
    return undefined;
  }
}

export function programBytes({ inputs, commands }: Program): Uint8Array {
  return bcs.TransactionKind.serialize({
    ProgrammableTransaction: { inputs: [...inputs], commands: [...commands] },
  }).toBytes();
}

/** Owned objects that the program names. */
export function ownedInputs({ inputs }: Program): ObjectRef[] {
  return inputs.flatMap((input) => input.Object?.ImmOrOwnedObject ?? input.Object?.Receiving ?? []);
}
