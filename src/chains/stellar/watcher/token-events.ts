import { Address, StrKey, scValToBigInt, scValToNative, type xdr } from '@stellar/stellar-sdk/base';

/** What tokens tell of their movements (SEP-41; for assets CAP-46-6 and CAP-67). */

export interface TokenEvent {
  /** Who tells it: the token is this contract, whatever the event says. */
  readonly contract: string;
  /** Undefined: it was made, or burnt. */
  readonly sender?: string;
  readonly recipient?: string;
  readonly amountMinor: bigint;
  /** What the token calls its asset, `CODE:G…`: to be checked against the contract. */
  readonly assetName?: string;
  /** Of a recipient that was named with a number (muxed). */
  readonly number?: string;
}

/** Undefined: another event, or one in a form that no token has. */
export function readTokenEvent({
  type,
  contractId,
  body,
}: xdr.ContractEvent): TokenEvent | undefined {
  if (type.name !== 'contract' || !contractId) return undefined;
  const { topics, data } = body.v0;
  const [name, ...rest] = topics;
  if (name?.type !== 'scvSymbol') return undefined;
  const addresses = rest.flatMap((topic) =>
    topic.type === 'scvAddress' ? [Address.fromScVal(topic).toString()] : [],
  );
  const sides = sidesOf(name.sym.toString(), addresses);
  const told = sides && readAmount(data);
  if (!sides || !told || told.amountMinor <= 0n) return undefined;
  const last = rest.at(-1);
  return {
    contract: StrKey.encodeContract(contractId.value),
    ...sides,
    ...told,
    ...(last?.type === 'scvString' && { assetName: last.str.toString() }),
  };
}

/** Older contracts name the administrator who mints or claws back first. */
function sidesOf(
  name: string,
  addresses: readonly string[],
): Pick<TokenEvent, 'sender' | 'recipient'> | undefined {
  const last = addresses.at(-1);
  if (last === undefined) return undefined;
  if (name === 'transfer')
    return addresses.length === 2 ? { sender: addresses[0]!, recipient: last } : undefined;
  if (name === 'mint') return { recipient: last };
  return name === 'burn' || name === 'clawback' ? { sender: last } : undefined;
}

/** The amount alone, or with the number of the recipient beside it. */
function readAmount(data: xdr.ScVal): Pick<TokenEvent, 'amountMinor' | 'number'> | undefined {
  if (data.type === 'scvI128') return { amountMinor: scValToBigInt(data) };
  if (data.type !== 'scvMap') return undefined;
  const { amount, to_muxed_id: number } = scValToNative(data) as {
    readonly amount?: unknown;
    readonly to_muxed_id?: unknown;
  };
  if (typeof amount !== 'bigint') return undefined;
  return { amountMinor: amount, ...(typeof number === 'bigint' && { number: number.toString() }) };
}
