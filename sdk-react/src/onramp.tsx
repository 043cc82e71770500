import type { Order } from '@purser/sdk';
import { type FormEvent, type ReactNode, useState } from 'react';
import { Button, Card, Failure, Field, Status } from './parts.tsx';
import { usePurser } from './provider.tsx';
import { useAction } from './use-action.ts';

export interface OnrampInput {
  /** What the user pays, in `currency`. */
  readonly amount: string;
  readonly currency: string;
  /** `<chain>:<symbol or address>` */
  readonly tokenLocator: string;
  /** Where the tokens go. */
  readonly walletAddress: string;
  readonly receiptEmail: string;
}

const payable = ({ payment, phase }: Order) =>
  payment.status === 'awaiting-payment' ||
  phase !== 'payment' ||
  payment.status.startsWith('requires-');

/** Buys tokens by card: `start` makes the order, which is then followed until they have arrived. */
export function useOnramp() {
  const { client } = usePurser();
  const [order, setOrder] = useState<Order>();
  const buy = useAction(
    async (
      signal,
      { amount, currency, tokenLocator, walletAddress, receiptEmail }: OnrampInput,
    ) => {
      setOrder(undefined);
      const { order: made, clientSecret } = await client.createOrder(
        {
          recipient: { walletAddress },
          payment: { method: 'card', currency, receiptEmail },
          lineItems: [{ tokenLocator, executionParameters: { mode: 'exact-in', amount } }],
        },
        { signal },
      );
      const secret = clientSecret === undefined ? {} : { clientSecret };
      setOrder(await client.waitForOrder(made.orderId, { ...secret, signal, until: payable }));
      // As long as a quote can be paid, and then until the chain is final.
      const done = await client.waitForOrder(made.orderId, {
        ...secret,
        signal,
        timeoutMs: 60 * 60_000,
      });
      setOrder(done);
      return done;
    },
  );
  return { ...buy, order };
}

export interface OnrampProps {
  readonly walletAddress: string;
  readonly token: string;
  readonly currency?: string;
  readonly receiptEmail: string;
  /**
   * Draws the payment of an acquirer that has no page of its own: `order.payment.preparation` says
   * with what.
   */
  readonly renderPayment?: (order: Order) => ReactNode;
  readonly onDelivered?: (order: Order) => void;
  readonly className?: string;
}

/** Amount, the acquirer's page, and what has become of it. */
export function Onramp({
  walletAddress,
  token,
  currency = 'usd',
  receiptEmail,
  renderPayment,
  onDelivered,
  className,
}: OnrampProps) {
  const { order, status, error, value, run } = useOnramp();
  const [amount, setAmount] = useState('20');
  const isRunning = status === 'running';
  const isPayable = isRunning && order?.payment.status === 'awaiting-payment';

  async function start(event: FormEvent) {
    event.preventDefault();
    const done = await run({
      amount: amount.trim(),
      currency,
      tokenLocator: token,
      walletAddress,
      receiptEmail,
    });
    if (done) onDelivered?.(done);
  }

  return (
    <Card title="Buy by card" className={className}>
      <form className="purser-form" onSubmit={(event) => void start(event)}>
        <Field
          label={`Amount in ${currency.toUpperCase()}`}
          value={amount}
          onChange={(event) => setAmount(event.target.value)}
          required
          disabled={isRunning}
          inputMode="decimal"
          pattern="\d+(\.\d+)?"
          hint={token}
          autoComplete="transaction-amount"
        />
        {!isPayable && (
          <Button type="submit" busy={isRunning}>
            Continue
          </Button>
        )}
        {isPayable && (renderPayment?.(order) ?? <PayLink order={order} />)}
      </form>
      <Status>
        {isPayable && 'The tokens come once the card has paid. This page may stay open.'}
        {isRunning && order && whatIsMissing(order)}
        {value && 'Delivered.'}
      </Status>
      <Failure error={error} />
    </Card>
  );
}

function PayLink({ order }: { order: Order }) {
  const card = order.payment.preparation?.['card'] as { url?: string } | undefined;
  if (card?.url === undefined)
    return (
      <Failure error={new Error('This acquirer has no page of its own: give `renderPayment`.')} />
    );
  return (
    <a className="purser-button purser-primary" href={card.url} target="_blank" rel="noopener">
      Pay{' '}
      {order.quote.totalPrice
        ? `${order.quote.totalPrice.amount} ${order.quote.totalPrice.currency.toUpperCase()}`
        : ''}{' '}
      by card
    </a>
  );
}

function whatIsMissing({ payment }: Order): string | undefined {
  if (payment.status === 'requires-kyc') return 'You have to be verified first.';
  return payment.status === 'requires-email'
    ? 'An e-mail address for the receipt is missing.'
    : undefined;
}
