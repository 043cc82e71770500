import { Address, scValToNative, type xdr } from '@stellar/stellar-sdk/base';
import type { ContractCall } from '../../../../contracts/stellar/index.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import { formatAmount } from '../../../lib/money/amount.ts';
import type { StellarNetwork } from '../config/networks.ts';
import { readPlainTransfer, readRecipient } from './calls.ts';

/** What an operation would move, told by the events of its simulation. */

/** Changes that are named; nobody's honest operation has more. */
const changesMax = 50;

export interface Movement {
  /** The token's contract. */
  readonly token: string;
  /** Undefined: it was made, or is gone. */
  readonly from?: string;
  readonly to?: string;
  readonly amountMinor: bigint;
}

/** Transfers, what was minted and what was burnt (SEP-41); others say something else. */
export function movementsOf(events: readonly xdr.DiagnosticEvent[]): Movement[] {
  return events.flatMap(({ event, inSuccessfulContractCall }) => {
    if (!inSuccessfulContractCall || event.type.name !== 'contract' || !event.contractId) return [];
    const { topics, data } = event.body.v0;
    const move = readMovement(topics, data);
    return move ? [{ token: Address.contract(event.contractId.value).toString(), ...move }] : [];
  });
}

function readMovement(
  [name, ...topics]: readonly xdr.ScVal[],
  data: xdr.ScVal,
): Omit<Movement, 'token'> | undefined {
  const kind = name?.type === 'scvSymbol' ? String(scValToNative(name)) : '';
  const [one, other] = topics.map(addressOf);
  const amountMinor = amountOf(data);
  if (amountMinor === undefined || one === undefined) return undefined;
  if (kind === 'transfer')
    return other === undefined ? undefined : { from: one, to: other, amountMinor };
  // An issuer's tokens are made when it sends them; older ones name the admin first.
  if (kind === 'mint') return { to: other ?? one, amountMinor };
  return kind === 'burn' || kind === 'clawback'
    ? { from: kind === 'burn' ? one : (other ?? one), amountMinor }
    : undefined;
}

/** Of an account with a customer's number that account: it is who is screened. */
function addressOf(value: xdr.ScVal): string | undefined {
  return value.type === 'scvAddress' ? readRecipient(value.address).to : undefined;
}

/** A number, or a record with one beside the recipient's own number (CAP-67). */
function amountOf(data: xdr.ScVal): bigint | undefined {
  const native: unknown =
    data.type === 'scvI128' || data.type === 'scvMap' ? scValToNative(data) : undefined;
  const amount =
    typeof native === 'object' && native !== null && 'amount' in native ? native.amount : native;
  return typeof amount === 'bigint' ? amount : undefined;
}

/** As answered in `preview.balanceChanges`. */
export function balanceChanges(
  network: StellarNetwork,
  wallet: string,
  movements: readonly Movement[],
): JsonObject[] {
  const deltas = new Map<string, bigint>();
  const add = (token: string, delta: bigint) =>
    deltas.set(token, (deltas.get(token) ?? 0n) + delta);
  for (const { token, from, to, amountMinor } of movements) {
    if (from === wallet) add(token, -amountMinor);
    if (to === wallet) add(token, amountMinor);
  }
  const changed = [...deltas].filter(([, delta]) => delta !== 0n);
  return changed
    .slice(0, changesMax)
    .map(([contract, delta]) => describeChange(network, contract, delta));
}

function describeChange(network: StellarNetwork, contract: string, delta: bigint): JsonObject {
  const token = listedToken(network, contract);
  if (!token) return { token: `${network.name}:${contract}`, rawAmount: delta.toString() };
  const { symbol, decimals } = token;
  return {
    token: `${network.name}:${symbol}`,
    symbol,
    decimals,
    amount: formatAmount(delta, decimals),
    rawAmount: delta.toString(),
  };
}

/**
 * Of the service's own list, the native one included; undefined for others, whatever they say of
 * themselves.
 */
export function listedToken({ native, nativeContract, tokens }: StellarNetwork, contract: string) {
  return contract === nativeContract ? native : tokens.find(({ address }) => address === contract);
}

/** Who gets something or is called, beside the wallet and tokens of the service's list. */
export function counterpartiesOf(
  network: StellarNetwork,
  wallet: string,
  {
    calls,
    movements,
  }: { readonly calls: readonly ContractCall[]; readonly movements: readonly Movement[] },
): string[] {
  const called = calls.map(({ contract }) => contract);
  const named = calls.flatMap((call) => {
    const transfer = readPlainTransfer(call);
    return transfer ? [transfer.to] : call.args.flatMap((arg) => addressOf(arg) ?? []);
  });
  const paid = movements.flatMap(({ to }) => to ?? []);
  const isOther = (address: string) =>
    address !== wallet && listedToken(network, address) === undefined;
  return [...new Set([...named, ...paid, ...called])].filter(isOther);
}
