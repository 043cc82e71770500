import { sha3_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { shortAddress } from '../../../src/chains/aptos/encoding/addresses.ts';
import type { AccountAuthenticator } from '../../../src/chains/aptos/encoding/authenticators.ts';
import {
  type RawTransaction,
  readPayload,
  type SignedTransaction,
} from '../../../src/chains/aptos/encoding/transactions.ts';
import { formatTypeTag } from '../../../src/chains/aptos/encoding/type-tags.ts';
import type { Executed } from '../execution/execute.ts';
import { findBalance, storeOf } from '../ledger/assets.ts';
import type { Reading } from '../ledger/state.ts';

/** A transaction as the REST API writes it. */
export type TransactionJson = Readonly<Record<string, unknown>>;

export interface Placed {
  readonly version: number;
  readonly hash: string;
  readonly timestampUs: string;
  readonly signed: SignedTransaction;
  readonly executed: Executed;
}

const hex = (bytes: Uint8Array) => `0x${bytesToHex(bytes)}`;
/**
 * Roots of this chain's trees are not computed: hashes of what they are of, so that they differ.
 */
const root = (name: string, version: number) => hex(sha3_256(utf8ToBytes(`${name} ${version}`)));

/** A transaction of a user that the chain has. */
export function describeTransaction(
  state: Reading,
  { version, hash, timestampUs, signed, executed }: Placed,
): TransactionJson {
  return {
    ...bodyOf(signed, executed.call.args),
    type: 'user_transaction',
    version: version.toString(),
    hash,
    state_change_hash: root('change', version),
    event_root_hash: root('events', version),
    state_checkpoint_hash: null,
    accumulator_root_hash: root('accumulator', version),
    gas_used: executed.gasUsed.toString(),
    success: executed.success,
    vm_status: executed.vmStatus,
    timestamp: timestampUs,
    changes: executed.touched.flatMap((store) => describeStore(state, store)),
    events: executed.events.map(({ type, data }) => ({
      guid: { creation_number: '0', account_address: '0x0' },
      sequence_number: '0',
      type,
      data,
    })),
  };
}

/** As it is answered when it was let in. */
export function describePending(
  hash: string,
  signed: SignedTransaction,
  args: readonly (string | bigint)[],
): TransactionJson {
  return { ...bodyOf(signed, args), type: 'pending_transaction', hash };
}

function bodyOf(
  { raw, authenticator }: SignedTransaction,
  args: readonly (string | bigint)[],
): TransactionJson {
  const { nonce } = readPayload(raw.payload);
  return {
    sender: shortAddress(raw.sender),
    sequence_number: raw.sequenceNumber.toString(),
    ...(nonce !== undefined && { replay_protection_nonce: nonce.toString() }),
    max_gas_amount: raw.maxGasAmount.toString(),
    gas_unit_price: raw.gasUnitPrice.toString(),
    expiration_timestamp_secs: raw.expirationSeconds.toString(),
    payload: describePayload(raw, args),
    signature: describeSignature(authenticator),
  };
}

function describePayload(raw: RawTransaction, args: readonly (string | bigint)[]): TransactionJson {
  const { call } = readPayload(raw.payload);
  return {
    type: 'entry_function_payload',
    function: `${shortAddress(call.address)}::${call.module}::${call.function}`,
    type_arguments: call.typeArgs.map(formatTypeTag),
    arguments: args.map(String),
  };
}

function describeSignature(authenticator: SignedTransaction['authenticator']): TransactionJson {
  if (authenticator.$kind === 'singleSender') return describeAccount(authenticator.singleSender);
  if (authenticator.$kind === 'ed25519')
    return describeAccount({ $kind: 'ed25519', ed25519: authenticator.ed25519 });
  if (authenticator.$kind !== 'feePayer') return { type: authenticator.$kind };
  const { sender, feePayerAddress, feePayer } = authenticator.feePayer;
  return {
    type: 'fee_payer_signature',
    sender: describeAccount(sender),
    secondary_signer_addresses: [],
    secondary_signers: [],
    fee_payer_address: shortAddress(feePayerAddress),
    fee_payer_signer: describeAccount(feePayer),
  };
}

function describeAccount(authenticator: AccountAuthenticator): TransactionJson {
  if (authenticator.$kind === 'ed25519') {
    const { publicKey, signature } = authenticator.ed25519;
    return { type: 'ed25519_signature', public_key: hex(publicKey), signature: hex(signature) };
  }
  return {
    type: authenticator.$kind === 'multiKey' ? 'multi_key_signature' : 'single_key_signature',
  };
}

function describeStore(
  state: Reading,
  { asset, owner }: { readonly asset: string; readonly owner: string },
): TransactionJson[] {
  const at = storeOf(asset, owner);
  const change = (type: string, data: object) => ({
    type: 'write_resource',
    address: shortAddress(at),
    state_key_hash: at,
    data: { type, data },
  });
  return [
    change('0x1::fungible_asset::FungibleStore', {
      balance: (findBalance(state, asset, owner) ?? 0n).toString(),
      frozen: false,
      metadata: { inner: shortAddress(asset) },
    }),
    change('0x1::object::ObjectCore', {
      allow_ungated_transfer: false,
      guid_creation_num: '1125899906842625',
      owner: shortAddress(owner),
      transfer_events: {
        counter: '0',
        guid: { id: { addr: shortAddress(at), creation_num: '1125899906842624' } },
      },
    }),
  ];
}

/** The entry of a block itself, which comes before its transaction. */
export function describeBlockEntry(version: number, timestampUs: string): TransactionJson {
  return {
    type: 'block_metadata_transaction',
    version: version.toString(),
    hash: root('block', version),
    state_change_hash: root('change', version),
    event_root_hash: root('events', version),
    state_checkpoint_hash: null,
    accumulator_root_hash: root('accumulator', version),
    gas_used: '0',
    success: true,
    vm_status: 'Executed successfully',
    id: root('block', version),
    epoch: '1',
    round: Math.ceil(version / 2).toString(),
    proposer: '0x1',
    failed_proposer_indices: [],
    previous_block_votes_bitvec: [],
    timestamp: timestampUs,
    changes: [],
    events: [],
  };
}

/** What the chain begins with. */
export function describeGenesis(): TransactionJson {
  const { type: _type, timestamp: _timestamp, id: _id, ...rest } = describeBlockEntry(0, '0');
  return { ...rest, type: 'genesis_transaction', payload: { type: 'write_set_payload' } };
}
