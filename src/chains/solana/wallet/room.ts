import { type Address, createNoopSigner } from '@solana/kit';
import {
  getCreateAssociatedTokenIdempotentInstruction,
  getTransferCheckedInstruction,
} from '@solana-program/token';
import bs58 from 'bs58';
import {
  createWallet,
  execute,
  type Group,
  p256Instruction,
  type Setup,
  type WalletAddresses,
} from '../../../../programs/solana-wallet/index.ts';
import { invalid } from '../../family/signing/quorums.ts';
import { unitLimit, unitPrice } from '../operation/instructions.ts';
import { transactionBytesMax, writeMessage, writeTransaction } from '../operation/message.ts';
import { programs } from '../operation/wrapping/programs.ts';
import { approvalBytesMax } from '../signing/p256.ts';

/**
 * Whether what a wallet does most, a transfer of a token to somebody without an account for it,
 * fits into a transaction.
 */

const someone = (index: number) => bs58.encode(new Uint8Array(32).fill(index)) as Address;
const [feePayer, nonceAccount, mint, source, destination, recipient] = [1, 2, 3, 4, 5, 6].map(
  someone,
) as [Address, Address, Address, Address, Address, Address];

/**
 * Bytes on the wire, approvals included.
 * @param created the wallet is there: its first operation makes it
 */
function transferBytes(
  addresses: WalletAddresses,
  setup: Setup,
  { threshold, members }: Group,
  created: boolean,
): number {
  const signers = members
    .flatMap((key) => (key.kind === 'ed25519' ? [key.address] : []))
    .slice(0, threshold);
  // A quorum with a passkey has threshold 1: the passkey's approval is the larger one.
  const isP256 = members.some(({ kind }) => kind !== 'ed25519');
  const owner = createNoopSigner(addresses.vault);
  const payer = createNoopSigner(feePayer);
  const transfer = getTransferCheckedInstruction({
    source,
    mint,
    destination,
    authority: owner,
    amount: 1n,
    decimals: 6,
  });
  const instructions = [
    unitLimit(1n),
    unitPrice(1n),
    ...(isP256 ? [p256Instruction()] : []),
    ...(created ? [] : [createWallet(addresses, setup, feePayer)]),
    getCreateAssociatedTokenIdempotentInstruction({
      payer,
      ata: destination,
      owner: recipient,
      mint,
      tokenProgram: programs.token as Address,
    }),
    execute(addresses, transfer, {
      epoch: 0,
      deadline: 1n,
      ...(isP256 ? { number: 1n, signers: [] } : { signers }),
    }),
  ];
  const message = writeMessage({
    feePayer,
    instructions,
    tables: {},
    nonce: { account: nonceAccount, value: someone(7) },
  });
  return writeTransaction(message).length + (isP256 ? approvalBytesMax('passkey') : 0);
}

/**
 * Refuses signers by which a wallet could be paid into, and never out of.
 * @param place of a recovery method @throws validation-error
 */
export function requireRoom(
  addresses: WalletAddresses,
  setup: Setup,
  place: (index: number) => string,
): void {
  const bytesOf = (group: Group, created: boolean) =>
    transferBytes(addresses, setup, group, created);
  for (const [index, group] of setup.groups.entries()) {
    const bytes = bytesOf(group, true);
    if (bytes > transactionBytesMax)
      throw invalid(
        group.members.length > 1 ? `${place(index)}.threshold` : place(index),
        `${group.threshold} signatures make a transfer of a token ${bytes} bytes long, and a transaction may have ${transactionBytesMax}: at most ${thresholdMax(group, bytesOf)} fit`,
      );
  }
  const least = Math.min(...setup.groups.map((group) => bytesOf(group, false)));
  if (least > transactionBytesMax)
    throw invalid(
      'config',
      `makes the first transaction of the wallet, which creates it, ${least} bytes long, and a transaction may have ${transactionBytesMax}: take fewer members, a lower threshold, or add delegated signers afterwards`,
    );
}

function thresholdMax(group: Group, bytesOf: (group: Group, created: boolean) => number): number {
  let threshold = group.threshold - 1;
  while (threshold > 1 && bytesOf({ ...group, threshold }, true) > transactionBytesMax)
    threshold -= 1;
  return threshold;
}
