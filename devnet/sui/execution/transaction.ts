import { bcs } from '@mysten/sui/bcs';
import { TransactionDataBuilder } from '@mysten/sui/transactions';
import { verifyTransactionSignature } from '@mysten/sui/verify';
import { isOfKeys } from '../../../src/chains/sui/signing/schemes.ts';
import {
  amountOf,
  currencyOf,
  type ObjectRef,
  objectDigest,
  type SuiObject,
  suiType,
} from '../ledger/objects.ts';
import type { Command } from './machine.ts';
import { lacks, Refusal, refuse } from './refusals.ts';

export interface Parsed {
  readonly bytes: Uint8Array;
  readonly digest: string;
  readonly sender: string;
  readonly gas: {
    readonly payment: readonly ObjectRef[];
    readonly owner: string;
    readonly price: bigint;
    readonly budget: bigint;
  };
  readonly expiration: typeof bcs.TransactionExpiration.$inferType;
  /** References to objects, and bytes. */
  readonly inputs: readonly (ObjectRef | Uint8Array)[];
  readonly commands: readonly Command[];
}

/** What a transaction is judged by. */
export interface Place {
  readonly epoch: bigint;
  readonly chainId: string;
  readonly gasPrice: bigint;
  read(id: string): SuiObject | undefined;
  /** Digest of the transaction that validators have signed with this version. */
  lockOf(id: string): string | undefined;
}

export const gasLimits = {
  priceMax: 100_000n,
  budgetMax: 50_000_000_000n,
  unitsMin: 1_000n,
  coinsMax: 256,
} as const;
const bytesMax = 128 * 1024;
const commandsMax = 1_024;
const inputsMax = 2_048;

/** @throws Refusal when the bytes are no transaction that may be executed */
export function parseTransaction(bytes: Uint8Array): Parsed {
  if (bytes.length > bytesMax)
    refuse(`Size limit exceeded: serialized transaction size exceeded maximum of ${bytesMax}`);
  const { kind, sender, gasData, expiration } = readData(bytes);
  const program =
    kind.ProgrammableTransaction ?? refuse('Transaction is of a kind that users do not send');
  if (program.commands.length === 0) refuse('Empty command in programmable transaction');
  if (program.commands.length > commandsMax)
    refuse(`Size limit exceeded: maximum commands is ${commandsMax}`);
  if (program.inputs.length > inputsMax)
    refuse(`Size limit exceeded: maximum input arguments is ${inputsMax}`);
  return {
    bytes,
    digest: TransactionDataBuilder.getDigestFromBytes(bytes),
    sender,
    gas: { ...gasData, price: BigInt(gasData.price), budget: BigInt(gasData.budget) },
    expiration,
    inputs: program.inputs.map(readInput),
    commands: program.commands,
  };
}

function readData(bytes: Uint8Array) {
  try {
    const { V1 } = bcs.TransactionData.parse(bytes);
    if (V1 && Buffer.compare(bcs.TransactionData.serialize({ V1 }).toBytes(), bytes) === 0)
      return V1;
  } catch {
    // Said below.
  }
  return refuse('Transaction cannot be read: it is no TransactionData of BCS');
}

function readInput(input: typeof bcs.CallArg.$inferType): ObjectRef | Uint8Array {
  if (input.Pure) return Buffer.from(input.Pure.bytes, 'base64');
  if (input.Object?.ImmOrOwnedObject) return input.Object.ImmOrOwnedObject;
  if (input.Object?.SharedObject) return lacks('it has no shared objects');
  if (input.Object?.Receiving) return lacks('objects are not received from objects');
  return lacks('it has no address balances');
}

/** Those whose signatures are asked for: the sender, and whoever else owns the gas. */
export async function checkSignatures(
  { bytes, sender, gas }: Parsed,
  signatures: readonly string[],
): Promise<void> {
  const signers = [...new Set([sender, gas.owner])];
  if (signatures.length !== signers.length)
    refuse(`Expect ${signers.length} signer signatures but got ${signatures.length}`);
  const found = new Set<string>();
  for (const signature of signatures) {
    if (!isOfKeys(signature)) lacks('it takes signatures of keys, and of multisigs of keys');
    const key = await verifyTransactionSignature(bytes, signature).catch((error: unknown) =>
      refuse(`Invalid user signature: ${error instanceof Error ? error.message : error}`),
    );
    found.add(key.toSuiAddress());
  }
  for (const signer of signers)
    if (!found.has(signer)) refuse(`Required Signature from ${signer} is absent`);
}

/** @throws Refusal for what validators do not sign */
export function checkTransaction(
  place: Place,
  parsed: Parsed,
): { readonly payment: SuiObject[]; readonly inputs: (SuiObject | Uint8Array)[] } {
  checkExpiration(place, parsed);
  checkGas(place, parsed);
  const { gas, sender } = parsed;
  const used = new Set<string>();
  const use = (ref: ObjectRef, owner: string) => {
    if (used.has(ref.objectId))
      refuse(`Mutable object ${ref.objectId} cannot appear more than one in one transaction`);
    used.add(ref.objectId);
    return readOwned(place, { parsed, ref, owner });
  };
  const payment = gas.payment.map((ref) => use(ref, gas.owner));
  const other = payment.find(({ type }) => currencyOf(type) !== suiType);
  if (other) refuse(`Gas object ${other.id} is not an owned object with a SUI coin type`);
  const balance = payment.reduce((sum, coin) => sum + amountOf(coin), 0n);
  if (balance < gas.budget)
    refuse(`Balance of gas object ${balance} is lower than the needed amount: ${gas.budget}`);
  return {
    payment,
    inputs: parsed.inputs.map((input) =>
      input instanceof Uint8Array ? input : use(input, sender),
    ),
  };
}

function checkExpiration({ epoch, chainId }: Place, { expiration }: Parsed): void {
  const expired = () => refuse('Transaction Expired');
  if (expiration.Epoch !== undefined && epoch > BigInt(expiration.Epoch)) expired();
  const validity = expiration.ValidDuring ?? expiration.Validity;
  if (!validity) return;
  if (validity.minTimestamp !== null || validity.maxTimestamp !== null)
    refuse('Timestamps of a validity are not supported yet');
  if (validity.chain !== chainId)
    refuse(`Transaction is for the chain ${validity.chain}, this is ${chainId}`);
  if (validity.maxEpoch !== null && epoch > BigInt(validity.maxEpoch)) expired();
  if (validity.minEpoch !== null && epoch < BigInt(validity.minEpoch))
    refuse(`Transaction is not valid before epoch ${validity.minEpoch}`);
}

function checkGas({ gasPrice }: Place, { gas: { price, budget, payment } }: Parsed): void {
  const budgetMin = gasLimits.unitsMin * price;
  if (payment.length === 0) lacks('it has no address balances that gas could be paid from');
  if (payment.length > gasLimits.coinsMax)
    refuse(`Size limit exceeded: maximum number of gas payment objects is ${gasLimits.coinsMax}`);
  if (price < gasPrice) refuse(`Gas price ${price} under reference gas price (RGP) ${gasPrice}`);
  if (price > gasLimits.priceMax) refuse(`Gas price cannot exceed ${gasLimits.priceMax} mist`);
  if (budget > gasLimits.budgetMax)
    refuse(`Gas budget: ${budget} is higher than max: ${gasLimits.budgetMax}`);
  if (budget < budgetMin) refuse(`Gas budget: ${budget} is lower than min: ${budgetMin}`);
}

interface Owned {
  readonly parsed: Parsed;
  readonly ref: ObjectRef;
  readonly owner: string;
}

function readOwned(place: Place, { parsed, ref, owner }: Owned): SuiObject {
  const { objectId: id, version } = ref;
  const object =
    place.read(id) ?? refuse(`Could not find the referenced object ${id} at version ${version}`);
  if (BigInt(version) !== object.version) {
    const unit = (number: bigint) => `0x${number.toString(16)}`;
    refuse(
      `Transaction needs to be rebuilt because object ${id} version ${unit(BigInt(version))} is unavailable for consumption, ` +
        `current version: ${unit(object.version)}`,
    );
  }
  if (objectDigest(object) !== ref.digest)
    refuse(`Invalid Object digest for object ${id}. Expected digest : ${objectDigest(object)}`);
  if (object.owner !== owner)
    refuse(
      `Transaction was not signed by the correct sender: Object ${id} is owned by account address ${object.owner}, ` +
        `but given owner/signer address is ${owner}`,
    );
  const lock = place.lockOf(id);
  if (lock !== undefined && lock !== parsed.digest)
    throw new Refusal(
      'FAILED_PRECONDITION',
      `Failed to sign transaction by a quorum of validators because one or more of its objects is reserved for another transaction. ` +
        `Other transactions locking these objects:\n- ${lock}`,
    );
  return object;
}
