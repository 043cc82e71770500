import { bcs } from '@mysten/sui/bcs';
import { GrpcTypes } from '@mysten/sui/grpc';
import { lacks, refuse } from './refusals.ts';

const {
  Argument_ArgumentKind: ArgumentKind,
  Input_InputKind: InputKind,
  TransactionExpiration_TransactionExpirationKind: ExpirationKind,
} = GrpcTypes;

type Data = NonNullable<typeof bcs.TransactionData.$inferType.V1>;
type Argument = typeof bcs.Argument.$inferType;
type Command = typeof bcs.Command.$inferType;
export type Input = typeof bcs.CallArg.$inferType;

/** A transaction of BCS as the network's message, field by field. */
export function toMessage(bytes: Uint8Array, digest: string): GrpcTypes.Transaction {
  const { V1 } = bcs.TransactionData.parse(bytes);
  const { kind, sender, gasData, expiration } = V1 as Data;
  const program = kind.ProgrammableTransaction;
  if (!program) return lacks('it runs programmable transactions alone');
  const { payment, owner, price, budget } = gasData;
  return GrpcTypes.Transaction.create({
    bcs: { name: 'TransactionData', value: bytes },
    digest,
    version: 1,
    kind: {
      kind: GrpcTypes.TransactionKind_Kind.PROGRAMMABLE_TRANSACTION,
      data: {
        oneofKind: 'programmableTransaction',
        programmableTransaction: {
          inputs: program.inputs.map(inputMessage),
          commands: program.commands.map(commandMessage),
        },
      },
    },
    sender,
    gasPayment: {
      owner,
      price: BigInt(price),
      budget: BigInt(budget),
      objects: payment.map(({ objectId, version, digest: one }) => ({
        objectId,
        version: BigInt(version),
        digest: one,
      })),
    },
    expiration: expirationMessage(expiration),
  });
}

function inputMessage(input: Input): GrpcTypes.Input {
  if (input.Pure) return { kind: InputKind.PURE, pure: Buffer.from(input.Pure.bytes, 'base64') };
  const ref = input.Object?.ImmOrOwnedObject ?? lacks('it has owned objects alone');
  return {
    kind: InputKind.IMMUTABLE_OR_OWNED,
    objectId: ref.objectId,
    version: BigInt(ref.version),
    digest: ref.digest,
  };
}

function argumentMessage(argument: Argument): GrpcTypes.Argument {
  if (argument.GasCoin) return { kind: ArgumentKind.GAS };
  if (argument.Input !== undefined) return { kind: ArgumentKind.INPUT, input: argument.Input };
  if (argument.Result !== undefined) return { kind: ArgumentKind.RESULT, result: argument.Result };
  const [result, subresult] = argument.NestedResult ?? [];
  return { kind: ArgumentKind.RESULT, result, subresult };
}

function commandMessage(command: Command): GrpcTypes.Command {
  return { command: commandOf(command) };
}

function commandOf({
  MoveCall,
  TransferObjects,
  SplitCoins,
  MergeCoins,
  MakeMoveVec,
}: Command): GrpcTypes.Command['command'] {
  if (MoveCall)
    return {
      oneofKind: 'moveCall',
      moveCall: { ...MoveCall, arguments: MoveCall.arguments.map(argumentMessage) },
    };
  if (TransferObjects) {
    const { objects, address } = TransferObjects;
    const transferObjects = {
      objects: objects.map(argumentMessage),
      address: argumentMessage(address),
    };
    return { oneofKind: 'transferObjects', transferObjects };
  }
  if (SplitCoins) {
    const splitCoins = {
      coin: argumentMessage(SplitCoins.coin),
      amounts: SplitCoins.amounts.map(argumentMessage),
    };
    return { oneofKind: 'splitCoins', splitCoins };
  }
  if (MergeCoins) {
    const mergeCoins = {
      coin: argumentMessage(MergeCoins.destination),
      coinsToMerge: MergeCoins.sources.map(argumentMessage),
    };
    return { oneofKind: 'mergeCoins', mergeCoins };
  }
  if (!MakeMoveVec) return lacks('it publishes and upgrades no packages');
  const { type, elements } = MakeMoveVec;
  return {
    oneofKind: 'makeMoveVector',
    makeMoveVector: { elementType: type ?? undefined, elements: elements.map(argumentMessage) },
  };
}

function expirationMessage(expiration: Data['expiration']): GrpcTypes.TransactionExpiration {
  if (expiration.Epoch !== undefined)
    return { kind: ExpirationKind.EPOCH, epoch: BigInt(expiration.Epoch) };
  const validity = expiration.ValidDuring ?? expiration.Validity;
  if (!validity) return { kind: ExpirationKind.NONE };
  const { minEpoch, maxEpoch, chain, nonce } = validity;
  const kind = expiration.ValidDuring ? ExpirationKind.VALID_DURING : ExpirationKind.VALIDITY;
  return { kind, minEpoch: asBigint(minEpoch), epoch: asBigint(maxEpoch), chain, nonce };
}

const asBigint = (text: string | null) => (text === null ? undefined : BigInt(text));

/** The way back, of a message whose objects may lack versions: `resolve` gives them. */
export function programOf(
  { kind }: GrpcTypes.Transaction,
  resolve: (id: string) => { objectId: string; version: string; digest: string },
): { inputs: Input[]; commands: Command[] } {
  if (kind?.data.oneofKind !== 'programmableTransaction')
    return refuse('kind: only programmable transactions are supported');
  const { inputs, commands } = kind.data.programmableTransaction;
  return {
    inputs: inputs.map((input) => readInput(input, resolve)),
    commands: commands.map(readCommand),
  };
}

function readInput(
  input: GrpcTypes.Input,
  resolve: (id: string) => { objectId: string; version: string; digest: string },
): Input {
  if (input.pure !== undefined)
    return { $kind: 'Pure', Pure: { bytes: Buffer.from(input.pure).toString('base64') } };
  const isOwned =
    input.kind === undefined ||
    input.kind === InputKind.IMMUTABLE_OR_OWNED ||
    input.kind === InputKind.INPUT_KIND_UNKNOWN;
  if (!isOwned || input.objectId === undefined) return lacks('inputs are bytes and owned objects');
  const given = {
    objectId: input.objectId,
    version: String(input.version),
    digest: input.digest ?? '',
  };
  const ref =
    input.version !== undefined && input.digest !== undefined ? given : resolve(input.objectId);
  return { $kind: 'Object', Object: { $kind: 'ImmOrOwnedObject', ImmOrOwnedObject: ref } };
}

function readArgument(argument: GrpcTypes.Argument | undefined): Argument {
  if (argument?.kind === ArgumentKind.GAS) return { $kind: 'GasCoin', GasCoin: true };
  if (argument?.kind === ArgumentKind.INPUT) return { $kind: 'Input', Input: argument.input ?? 0 };
  const { result = 0, subresult } = argument ?? refuse('argument: missing');
  return subresult === undefined
    ? { $kind: 'Result', Result: result }
    : { $kind: 'NestedResult', NestedResult: [result, subresult] };
}

function readCommand({ command }: GrpcTypes.Command): Command {
  if (command.oneofKind === 'moveCall') {
    const {
      package: address = '',
      module = '',
      function: name = '',
      typeArguments,
      arguments: given,
    } = command.moveCall;
    const MoveCall = {
      package: address,
      module,
      function: name,
      typeArguments,
      arguments: given.map(readArgument),
    };
    return { $kind: 'MoveCall', MoveCall };
  }
  if (command.oneofKind === 'transferObjects') {
    const { objects, address } = command.transferObjects;
    return {
      $kind: 'TransferObjects',
      TransferObjects: { objects: objects.map(readArgument), address: readArgument(address) },
    };
  }
  if (command.oneofKind === 'splitCoins') {
    const { coin, amounts } = command.splitCoins;
    return {
      $kind: 'SplitCoins',
      SplitCoins: { coin: readArgument(coin), amounts: amounts.map(readArgument) },
    };
  }
  if (command.oneofKind === 'mergeCoins') {
    const { coin, coinsToMerge } = command.mergeCoins;
    return {
      $kind: 'MergeCoins',
      MergeCoins: { destination: readArgument(coin), sources: coinsToMerge.map(readArgument) },
    };
  }
  if (command.oneofKind !== 'makeMoveVector') return lacks('it publishes and upgrades no packages');
  const { elementType, elements } = command.makeMoveVector;
  return {
    $kind: 'MakeMoveVec',
    MakeMoveVec: { type: elementType ?? null, elements: elements.map(readArgument) },
  };
}

/** What the message says of the life of a transaction. */
export function readExpiration({
  expiration,
}: GrpcTypes.Transaction): typeof bcs.TransactionExpiration.$inferInput {
  if (expiration?.kind === ExpirationKind.EPOCH) return { Epoch: Number(expiration.epoch) };
  if (expiration?.kind !== ExpirationKind.VALID_DURING) return { None: true };
  const { minEpoch = null, epoch: maxEpoch = null, chain = '', nonce = 0 } = expiration;
  return {
    ValidDuring: { minEpoch, maxEpoch, minTimestamp: null, maxTimestamp: null, chain, nonce },
  };
}
