import type { Db } from '../../../../store/types.ts';
import type { Hex } from '../../abi/words.ts';
import { readTxContent } from './signing.ts';

/** Native money that an executor gives away, by its signed bytes: rows beside them can lie. */
export interface Payment {
  /** Lower case. */
  readonly to: Hex;
  readonly valueWei: bigint;
  /** Whose transaction it is and with which nonce: of these the chain takes one. */
  readonly by: string;
}

/** Undefined of what gives nothing away, as a batch and a no-op. */
export function readPayment(executor: Hex, raw: Uint8Array): Payment | undefined {
  const { to, valueWei, nonce } = readTxContent(raw, 0);
  if (valueWei === 0n) return undefined;
  return { to: to.toLowerCase() as Hex, valueWei, by: `${executor} ${nonce}` };
}

/** More than executors have on their way at once. */
const underWayMax = 10_000;

/**
 * Whether a transaction that no block has yet gives an account something, whatever became of the
 * row that had asked for it.
 */
export async function isPaymentUnderWay(
  db: Db,
  { chain, address }: { readonly chain: string; readonly address: string },
): Promise<boolean> {
  const { rows } = await db.query<{ raw: Buffer }>({
    name: 'evm-relay-payments-under-way',
    text: `
      select a.raw from evm_sends s join evm_attempts a on a.send_id = s.id
      where s.chain = $1 and s.kind = 'call' and s.status = 'pending' limit $2`,
    values: [chain, underWayMax],
  });
  return rows.length === underWayMax || rows.some(({ raw }) => recipientOf(raw) === address);
}

function recipientOf(raw: Uint8Array): string | undefined {
  try {
    return readTxContent(raw, 0).to.toLowerCase();
  } catch {
    // Bytes that somebody changed: what lands of them is looked at there.
    return undefined;
  }
}
