import type { Body, Transaction } from '@purser/sdk';
import { type FormEvent, useState } from 'react';
import { shortenAddress } from './amounts.ts';
import { Button, Card, Failure, Field, Status } from './parts.tsx';
import { Summary, usePurser } from './provider.tsx';
import { useAction, useLoaded } from './use-action.ts';

/** Sends tokens: the user reviews and approves, then it waits for the chain. */
export function useTransfer(locator = 'me:evm') {
  const { client, signers, review } = usePurser();
  return useAction((signal, tokenLocator: string, body: Body<'createTransfer'>) =>
    client.transfer(locator, tokenLocator, body, { signal, signers, review }),
  );
}

export interface TransferFormProps {
  readonly locator?: string;
  /** `<chain>:<symbol or address>` */
  readonly token: string;
  readonly onSent?: (transaction: Transaction) => void;
  readonly className?: string;
}

/** Recipient, amount, and a button. */
export function TransferForm({ locator, token, onSent, className }: TransferFormProps) {
  const transfer = useTransfer(locator);
  const [recipient, setRecipient] = useState('');
  const [amount, setAmount] = useState('');
  const isRunning = transfer.status === 'running';

  async function send(event: FormEvent) {
    event.preventDefault();
    const sent = await transfer.run(token, { recipient: recipient.trim(), amount: amount.trim() });
    if (!sent) return;
    setAmount('');
    onSent?.(sent);
  }

  return (
    <Card title="Send" className={className}>
      <form onSubmit={(event) => void send(event)} className="purser-form">
        <Field
          label="To"
          value={recipient}
          onChange={(event) => setRecipient(event.target.value)}
          required
          disabled={isRunning}
          placeholder="0x…"
          autoComplete="off"
          spellCheck={false}
        />
        <Field
          label="Amount"
          value={amount}
          onChange={(event) => setAmount(event.target.value)}
          required
          disabled={isRunning}
          inputMode="decimal"
          pattern="\d+(\.\d+)?"
          hint={token}
          autoComplete="off"
        />
        <Button type="submit" busy={isRunning}>
          Send
        </Button>
      </form>
      <Status>
        {isRunning && 'Waiting for your approval and the network …'}
        {transfer.value &&
          `Sent, in transaction ${shortenAddress(transfer.value.onChain.txId ?? transfer.value.id)}.`}
      </Status>
      <Failure error={transfer.error} />
    </Card>
  );
}

/** Transactions of a wallet that wait for an approval, and how to give it. */
export function useApprovals(locator = 'me:evm', { pollMs = 5_000 } = {}) {
  const { client, signers, review } = usePurser();
  const loaded = useLoaded(
    locator,
    async (signal) =>
      (await client.listTransactions(locator, { perPage: '50' }, { signal })).transactions.filter(
        ({ status }) => status === 'awaiting-approval',
      ),
    pollMs,
  );
  const approve = useAction(async (signal, transaction: Transaction) => {
    const approved = await client.approveTransaction(locator, transaction, {
      signal,
      signers,
      review,
    });
    loaded.refresh();
    return approved;
  });
  return { ...loaded, approve };
}

/** What waits for the user's approval; nothing when nothing does. */
export function Approvals({
  locator,
  className,
  pollMs,
}: {
  locator?: string;
  className?: string;
  pollMs?: number;
}) {
  const { value = [], approve } = useApprovals(locator, pollMs === undefined ? {} : { pollMs });
  if (value.length === 0) return null;
  return (
    <Card title="Waiting for you" className={className}>
      <ul className="purser-list">
        {value.map((transaction) => (
          <li key={transaction.id}>
            <Summary object={transaction} />
            <Button
              busy={approve.status === 'running'}
              onClick={() => void approve.run(transaction)}
            >
              Approve
            </Button>
          </li>
        ))}
      </ul>
      <Failure error={approve.error} />
    </Card>
  );
}
