import { bcs } from '@mysten/sui/bcs';
import { GrpcTypes } from '@mysten/sui/grpc';
import { normalizeSuiAddress } from '@mysten/sui/utils';
import { executedMessage } from '../execution/effects.ts';
import type { Value } from '../execution/machine.ts';
import { Refusal, refuse } from '../execution/refusals.ts';
import { gasLimits, parseTransaction } from '../execution/transaction.ts';
import { programOf, readExpiration } from '../execution/transaction-message.ts';
import { type Chain, gasPrice } from '../ledger/chain.ts';
import {
  amountOf,
  coinType,
  contentsOf,
  refOf,
  type SuiObject,
  suiType,
} from '../ledger/objects.ts';
import { type Method, method, pick } from './method.ts';

const G = GrpcTypes;
/** What is added to the gas that a simulation used, so that its budget does. */
const budgetSpare = gasLimits.unitsMin * gasPrice;
/** The coin that pays in a simulation without payment. */
const mockCoin = normalizeSuiAddress('0xffff');
const fields = ['effects.status', 'checkpoint'];

export const transactionMethods: Readonly<Record<string, Method>> = {
  ExecuteTransaction: method(
    G.ExecuteTransactionRequest,
    G.ExecuteTransactionResponse,
    async (chain, request) => {
      const { bytes, signatures } = readSigned(request);
      return {
        transaction: pick(
          G.ExecutedTransaction,
          await chain.run(bytes, signatures),
          request.readMask,
          fields,
        ),
      };
    },
  ),
  SimulateTransaction: method(
    G.SimulateTransactionRequest,
    G.SimulateTransactionResponse,
    simulate,
  ),
};

/** Not of the network: some validators sign, nobody executes. */
export const lockMethod: Method = method(
  G.ExecuteTransactionRequest,
  G.ExecuteTransactionResponse,
  async (chain, request) => {
    const { bytes, signatures } = readSigned(request);
    await chain.lock(bytes, signatures);
    return {};
  },
);

function readSigned({ transaction, signatures }: GrpcTypes.ExecuteTransactionRequest) {
  const bytes = transaction?.bcs?.value ?? refuse('transaction.bcs: missing');
  return {
    bytes,
    signatures: signatures.map((one) => one.bcs?.value ?? refuse('signatures.bcs: missing')),
  };
}

/** Runs a transaction and forgets it. What a wallet left open (versions, gas) is filled in. */
function simulate(
  chain: Chain,
  request: GrpcTypes.SimulateTransactionRequest,
): GrpcTypes.SimulateTransactionResponse {
  const {
    transaction = refuse('transaction: missing'),
    doGasSelection = false,
    readMask,
  } = request;
  const complete = transaction.bcs?.value
    ? { bytes: transaction.bcs.value, mock: undefined }
    : fillIn(chain, transaction, { doGasSelection });
  const parsed = parseTransaction(complete.bytes);
  const outcome = chain.outcomeOf(parsed, (id) =>
    complete.mock?.id === id ? complete.mock : chain.read(id),
  );
  const executed = executedMessage(parsed, outcome, { epoch: chain.epoch(), signatures: [] });
  const answer = G.SimulateTransactionResponse.create({
    transaction: executed,
    commandOutputs: outcome.results.map((values) => ({
      returnValues: values.map(valueMessage),
      mutatedByRef: [],
    })),
    suggestedGasPrice: gasPrice,
  });
  return pick(G.SimulateTransactionResponse, answer, readMask, ['transaction.effects.status']);
}

function valueMessage(value: Value | undefined): GrpcTypes.CommandOutput {
  if (value?.kind === 'data') return { value: { name: value.type, value: value.bytes } };
  if (value?.kind === 'object')
    return { value: { name: value.draft.type, value: value.draft.contents } };
  return {};
}

interface Draft {
  readonly program: ReturnType<typeof programOf>;
  readonly message: GrpcTypes.Transaction;
  readonly payment: readonly SuiObject[];
  readonly budget: bigint;
}

function fillIn(
  chain: Chain,
  message: GrpcTypes.Transaction,
  { doGasSelection }: { readonly doGasSelection: boolean },
) {
  const program = programOf(message, (id) =>
    refOf(chain.read(normalizeSuiAddress(id)) ?? missing(id)),
  );
  const { objects = [], budget } = message.gasPayment ?? {};
  const mock = mockGas(ownerOf(message));
  const given = objects.map(
    ({ objectId = '' }) => chain.read(normalizeSuiAddress(objectId)) ?? missing(objectId),
  );
  const mayPay =
    given.length > 0 ? given : doGasSelection ? gasCoins(chain, message, program) : [mock];
  const most = mayPay.reduce((sum, coin) => sum + amountOf(coin), 0n);
  const tried = budget ?? (most < gasLimits.budgetMax ? most : gasLimits.budgetMax);
  const first = toBytes({ program, message, payment: mayPay, budget: tried });
  const isMock = mayPay[0] === mock;
  if (budget !== undefined) return { bytes: first, mock: isMock ? mock : undefined };
  const { gas } = chain.outcomeOf(parseTransaction(first), (id) =>
    isMock && id === mock.id ? mock : chain.read(id),
  );
  const storage = gas.storageCost > gas.storageRebate ? gas.storageCost - gas.storageRebate : 0n;
  const enough = gas.computationCost + storage + budgetSpare;
  const bytes = toBytes({
    program,
    message,
    payment: mayPay,
    budget: enough < tried ? enough : tried,
  });
  return { bytes, mock: isMock ? mock : undefined };
}

const missing = (id: string): never => {
  throw new Refusal('NOT_FOUND', `Object ${id} not found`);
};

const ownerOf = ({ gasPayment, sender }: GrpcTypes.Transaction) =>
  normalizeSuiAddress(gasPayment?.owner ?? sender ?? '0x0');

function mockGas(owner: string): SuiObject {
  const contents = contentsOf(mockCoin, gasLimits.budgetMax * 1_000n);
  const storageRebate = 0n;
  const previousTransaction = '11111111111111111111111111111111';
  return {
    id: mockCoin,
    version: 1n,
    type: coinType(suiType),
    contents,
    owner,
    previousTransaction,
    storageRebate,
  };
}

/** Every coin of the payer that the transaction does not name, the largest first. */
function gasCoins(
  chain: Chain,
  message: GrpcTypes.Transaction,
  { inputs }: Draft['program'],
): SuiObject[] {
  const named = new Set(inputs.map((input) => input.Object?.ImmOrOwnedObject?.objectId));
  const isGas = ({ type, id }: SuiObject) => type === coinType(suiType) && !named.has(id);
  const coins = chain.ownedBy(ownerOf(message)).filter(isGas);
  coins.sort((one, other) => (amountOf(one) < amountOf(other) ? 1 : -1));
  if (coins.length === 0) refuse('Unable to perform gas selection due to insufficient SUI balance');
  return coins.slice(0, gasLimits.coinsMax);
}

function toBytes({ program, message, payment, budget }: Draft): Uint8Array {
  const data = {
    kind: { ProgrammableTransaction: program },
    sender: normalizeSuiAddress(message.sender ?? '0x0'),
    gasData: {
      payment: payment.map(refOf),
      owner: ownerOf(message),
      price: message.gasPayment?.price ?? gasPrice,
      budget,
    },
    expiration: readExpiration(message),
  };
  return bcs.TransactionData.serialize({ V1: data }).toBytes();
}
