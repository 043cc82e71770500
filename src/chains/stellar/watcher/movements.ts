import { Asset, StrKey, xdr } from '@stellar/stellar-sdk/base';
import { type Flow, pairDeltas } from '../../family/flows.ts';
import { BrokenHistoryError } from '../../family/following/index.ts';
import type { StellarNetwork } from '../config/networks.ts';
import type { ListedTransaction } from '../rpc/schemas.ts';
import { parseAsset } from '../tokens/assets.ts';
import { type AssetName, type DeltasByAsset, deltasOf, nameOf } from './balance-changes.ts';
import { readTokenEvent, type TokenEvent } from './token-events.ts';

/** Money that went from one to another. */
export interface TokenFlow extends Flow {
  /** Contract of the token. */
  readonly contract: string;
  /** Absent: the token is a contract of its own. */
  readonly asset?: Asset;
  /** By which the payer named the recipient more closely (muxed). */
  readonly number?: string;
}

/**
 * The one form of a deposit's memo: a number of 64 bits, which payments and the numbers of
 * recipients both can carry.
 */
export const memoPattern = /^(0|[1-9]\d{0,19})$/;

/**
 * What a transaction moved, in its own order; nothing if it failed, fees left out. Calls of
 * contracts are read by their tokens' events, other operations by the balances that they changed:
 * nodes need not tell events of those.
 */
export function flowsOf(
  { status, envelopeXdr, resultMetaXdr }: ListedTransaction,
  network: StellarNetwork,
): TokenFlow[] {
  if (status !== 'SUCCESS') return [];
  const { operations, sourceAccount } = innerOf(envelopeXdr);
  const effects = effectsOf(resultMetaXdr);
  return operations.flatMap((operation, index) => {
    const { changes, events } = effects[index] ?? { changes: [], events: [] };
    if (operation.body.type === 'invokeHostFunction')
      return events.flatMap((event) => flowsOfEvent(event, network));
    const own = flowsOfChanges(operation.body, {
      deltas: deltasOf(changes),
      source: muxedOf(operation.sourceAccount ?? sourceAccount).account,
    });
    return own.map(({ asset: name, ...flow }) => {
      const asset = name === 'native' ? Asset.native() : parseAsset(name)!;
      return { ...flow, asset, contract: asset.contractId(network.passphrase) };
    });
  });
}

/** What the payer wrote on the whole transaction, where it has a deposit's form. */
export function memoOf({
  envelopeXdr,
}: Pick<ListedTransaction, 'envelopeXdr'>): string | undefined {
  const { memo } = innerOf(envelopeXdr);
  const text =
    memo.type === 'memoId'
      ? memo.id.toString()
      : memo.type === 'memoText'
        ? memo.text.toString()
        : '';
  return memoPattern.test(text) ? text : undefined;
}

interface Inner {
  readonly operations: readonly xdr.Operation[];
  readonly sourceAccount: xdr.MuxedAccount;
  readonly memo: xdr.Memo;
}

function innerOf(envelope: xdr.TransactionEnvelope): Inner {
  if (envelope.type === 'envelopeTypeTx') return envelope.v1.tx;
  if (envelope.type === 'envelopeTypeTxFeeBump') return envelope.feeBump.tx.innerTx.v1.tx;
  const { operations, memo, sourceAccountEd25519 } = envelope.v0.tx;
  return { operations, memo, sourceAccount: xdr.MuxedAccount.keyTypeEd25519(sourceAccountEd25519) };
}

interface Effects {
  readonly changes: readonly xdr.LedgerEntryChange[];
  readonly events: readonly xdr.ContractEvent[];
}

/**
 * Of each operation. Before protocol 23 events stood beside them: of the one operation that a call
 * has.
 */
function effectsOf(meta: xdr.TransactionMeta): Effects[] {
  if (meta.type === 'v4')
    return meta.v4.operations.map(({ changes, events }) => ({ changes, events }));
  if (meta.type !== 'v3')
    throw new BrokenHistoryError(`What a transaction did is told in another form: ${meta.type}.`);
  const { operations, sorobanMeta } = meta.v3;
  return operations.map(({ changes }, index) => ({
    changes,
    events: index === 0 ? (sorobanMeta?.events ?? []) : [],
  }));
}

function flowsOfEvent(event: xdr.ContractEvent, { passphrase }: StellarNetwork): TokenFlow[] {
  const told = readTokenEvent(event);
  if (!told) return [];
  const { contract, amountMinor, number } = told;
  const asset = assetOf(told, passphrase);
  // Who makes and burns: the issuer, or the contract itself.
  const maker = asset && !asset.isNative() ? asset.getIssuer()! : contract;
  const { sender = maker, recipient = maker } = told;
  return [
    {
      contract,
      amountMinor,
      sender,
      recipient,
      ...(asset && { asset }),
      ...(number !== undefined && { number }),
    },
  ];
}

/** Anybody may call his token by the name of an asset: the contract's id has to follow from it. */
function assetOf({ contract, assetName }: TokenEvent, passphrase: string): Asset | undefined {
  const asset =
    assetName === 'native'
      ? Asset.native()
      : assetName === undefined
        ? undefined
        : parseAsset(assetName);
  return asset?.contractId(passphrase) === contract ? asset : undefined;
}

interface NamedFlow extends Flow {
  readonly asset: AssetName;
  readonly number?: string;
}

interface ClassicInput {
  readonly deltas: DeltasByAsset;
  readonly source: string;
}

function flowsOfChanges(body: xdr.OperationBody, { deltas, source }: ClassicInput): NamedFlow[] {
  const recipient = recipientOf(body);
  const paid =
    recipient?.asset === undefined
      ? undefined
      : throughSource(deltas, { source, recipient, asset: recipient.asset });
  const direct = [...deltas].flatMap(([asset, own]) =>
    pairDeltas(own, makerOf(asset)).map((flow) => ({ asset, ...flow })),
  );
  const flows = paid ? [...direct, paid] : direct;
  if (recipient?.number === undefined) return flows;
  const { number } = recipient;
  return flows.map((flow) => (flow.recipient === recipient.account ? { ...flow, number } : flow));
}

const makerOf = (asset: AssetName) =>
  asset === 'native' ? 'native' : asset.slice(asset.indexOf(':') + 1);

interface Recipient {
  readonly account: string;
  readonly number?: string;
  /** What arrives, where it comes by way of others. */
  readonly asset?: AssetName;
}

function recipientOf(body: xdr.OperationBody): Recipient | undefined {
  if (body.type === 'payment') return muxedOf(body.paymentOp.destination);
  if (body.type === 'accountMerge') return muxedOf(body.destination);
  if (body.type === 'pathPaymentStrictReceive') {
    const { destination, destAsset } = body.pathPaymentStrictReceiveOp;
    return { ...muxedOf(destination), asset: nameOf(destAsset) };
  }
  if (body.type !== 'pathPaymentStrictSend') return undefined;
  const { destination, destAsset } = body.pathPaymentStrictSendOp;
  return { ...muxedOf(destination), asset: nameOf(destAsset) };
}

/** What others sold on a path the source bought: it is the source who pays the recipient. */
function throughSource(
  deltas: DeltasByAsset,
  {
    source,
    recipient,
    asset,
  }: { readonly source: string; readonly recipient: Recipient; readonly asset: AssetName },
): NamedFlow | undefined {
  const own = deltas.get(asset) ?? [];
  const arrived = own.find(
    ({ owner, deltaMinor }) => owner === recipient.account && deltaMinor > 0n,
  );
  if (!arrived || recipient.account === source) return undefined;
  const { deltaMinor: amountMinor } = arrived;
  const spent = own.find(({ owner }) => owner === source)?.deltaMinor ?? 0n;
  const others = own.filter(({ owner }) => owner !== source && owner !== recipient.account);
  deltas.set(
    asset,
    spent + amountMinor === 0n
      ? others
      : [...others, { owner: source, deltaMinor: spent + amountMinor }],
  );
  return { asset, sender: source, recipient: recipient.account, amountMinor };
}

function muxedOf(account: xdr.MuxedAccount): Pick<Recipient, 'account' | 'number'> {
  if (account.type === 'keyTypeEd25519')
    return { account: StrKey.encodeEd25519PublicKey(account.ed25519.value) };
  const { id, ed25519 } = account.med25519;
  return { account: StrKey.encodeEd25519PublicKey(ed25519.value), number: id.toString() };
}
