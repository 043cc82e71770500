import {
  columnSecrets,
  type StoredTransfer,
  startColumnStandIn,
} from '../../src/providers/payout/column-kit.ts';

export { columnSecrets };

const secondMs = 1_000;
const hourMs = 3_600 * secondMs;
const dayMs = 24 * hourMs;

interface Step {
  readonly status: string;
  readonly afterMs: number;
  readonly more?: Record<string, unknown>;
}

/** A transfer as the bank knows it. */
export interface BankTransfer {
  readonly key: string;
  readonly amountMinor: bigint;
  /** The money is at the recipient's bank, or on its way; else it never left or came back. */
  readonly isGone: boolean;
  /** The bank refused it before it moved. */
  readonly isRefused: boolean;
  /** It came back after it was final. */
  readonly cameBackLate: boolean;
}

/** What the bank says when it is asked for a payout that takes too long. */
export type BankWord = 'settled' | 'rejected' | 'wait';

/** A bank that speaks Column's words, and whose transfers go on as the service's time passes. */
export interface FaultBank {
  readonly url: string;
  /** Signed callbacks that nobody has fetched yet. */
  takeCallbacks(): BankCallback[];
  /** Moves every transfer on to where it is by now. */
  work(): void;
  /** Somebody calls and asks for a payout by its key; what lay there until then goes on. */
  ask(key: string): BankWord;
  books(): BankTransfer[];
  close(): Promise<void>;
}

export interface BankCallback {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export async function startFaultBank(now: () => Date): Promise<FaultBank> {
  const column = await startColumnStandIn(now);
  const callbacks: BankCallback[] = [];
  const done = new Map<string, number>();
  const askedAtMs = new Map<string, number>();
  const numberOf = ({ form }: StoredTransfer) =>
    column.counterparties.get(form.get('counterparty_id') ?? '')!.get('account_number')!;

  function work(): void {
    for (const transfer of column.transfers) {
      const asked = askedAtMs.get(transfer.id);
      const steps = stepsOf(
        transfer.kind,
        numberOf(transfer),
        asked && asked - transfer.createdAt.getTime(),
      );
      for (let nr = done.get(transfer.id) ?? 0; nr < steps.length; nr++) {
        const { status, afterMs, more } = steps[nr]!;
        const at = new Date(transfer.createdAt.getTime() + afterMs);
        if (at > now()) break;
        transfer.status = status;
        Object.assign(transfer.more, {
          updated_at: at.toISOString(),
          ...timesOf(status, at),
          ...more,
        });
        done.set(transfer.id, nr + 1);
        const { headers, body } = column.anEvent(
          transfer,
          `${transfer.kind}.outgoing_transfer.${status.toLowerCase()}`,
        );
        callbacks.push({ headers: headers as Record<string, string>, body: new Uint8Array(body) });
      }
    }
  }

  return {
    url: column.url,
    takeCallbacks: () => callbacks.splice(0),
    work,
    ask(key) {
      const transfer = column.transfers.find((one) => one.key === key);
      const word = transfer && stuckWords[numberOf(transfer).slice(-4)];
      if (!transfer || word === undefined || word === 'wait') return 'wait';
      // Whoever is told on the telephone may be faster than the bank's own books, or not.
      const isWritten = BigInt(transfer.form.get('amount')!) % 2n === 0n;
      if (!askedAtMs.has(transfer.id))
        askedAtMs.set(transfer.id, now().getTime() + (isWritten ? 0 : hourMs));
      work();
      return word;
    },
    books: () =>
      column.transfers.map((transfer) => {
        const isRefused = /REJECTED/i.test(transfer.status);
        const isBack = /RETURNED/i.test(transfer.status);
        const amountMinor = BigInt(transfer.form.get('amount')!);
        const cameBackLate = isBack && numberOf(transfer).endsWith('9004');
        return {
          key: transfer.key,
          amountMinor,
          isGone: !isRefused && !isBack,
          isRefused,
          cameBackLate,
        };
      }),
    close: () => column.close(),
  };
}

/**
 * By the last digits of the account number: what lies at the bank until somebody asks for it, or
 * for twenty days.
 */
const stuckWords: Readonly<Record<string, BankWord>> = {
  7991: 'settled',
  7992: 'rejected',
  7993: 'wait',
};
const stuckMs = 20 * dayMs;

/**
 * What becomes of a transfer, by the last digits of the account number.
 * @param askedAfterMs when somebody asked for it
 */
function stepsOf(
  kind: string,
  accountNumber: string,
  askedAfterMs: number | undefined,
): readonly Step[] {
  const isInstant = kind === 'realtime';
  const pending: Step = { status: isInstant ? 'pending' : 'PENDING_SUBMISSION', afterMs: 0 };
  const ends = (status: string, afterMs: number, more?: Record<string, unknown>): Step => ({
    status: isInstant ? status.toLowerCase() : status,
    afterMs,
    ...(more && { more }),
  });
  if (accountNumber.endsWith('5003')) return [pending, ends('MANUAL_REVIEW_REJECTED', hourMs)];
  if (accountNumber.endsWith('9003') && isInstant)
    return [pending, ends('REJECTED', 5 * secondMs, { rejection_code: 'AC04' })];
  const stuck = stuckWords[accountNumber.slice(-4)];
  if (stuck !== undefined) {
    const endsMs = Math.min(askedAfterMs ?? stuckMs, stuckMs);
    if (stuck === 'rejected') return [pending, ends('MANUAL_REVIEW_REJECTED', endsMs)];
    return isInstant
      ? [pending, ends('COMPLETED', endsMs)]
      : [pending, ends('SETTLED', endsMs), ends('COMPLETED', endsMs + 60 * dayMs)];
  }
  const slowMs = accountNumber.endsWith('7000') ? 2 * dayMs : 0;
  if (isInstant) return [pending, ends('COMPLETED', 5 * secondMs + slowMs)];
  const settled = ends('SETTLED', dayMs + slowMs);
  const completed = ends('COMPLETED', 60 * dayMs + slowMs);
  const returned = (code: string, afterMs: number) =>
    ends('RETURNED', afterMs, { return_details: [{ return_code: code, created_at: null }] });
  if (accountNumber.endsWith('9003')) return [pending, settled, returned('R03', 3 * dayMs)];
  return accountNumber.endsWith('9004')
    ? [pending, settled, completed, returned('R10', 75 * dayMs)]
    : [pending, settled, completed];
}

function timesOf(status: string, at: Date): Record<string, string> {
  const field =
    { SETTLED: 'settled_at', COMPLETED: 'completed_at', RETURNED: 'returned_at' }[
      status.toUpperCase()
    ] ?? 'rejected_at';
  return status.toUpperCase().startsWith('PENDING') ? {} : { [field]: at.toISOString() };
}
