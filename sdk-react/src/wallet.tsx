import type { Body, Wallet } from '@purser/sdk';
import { NotFoundError } from '@purser/sdk';
import type { ReactNode } from 'react';
import { formatUnits, shortenAddress } from './amounts.ts';
import { Button, Card, Failure, Status } from './parts.tsx';
import { usePurser } from './provider.tsx';
import { type Action, type Loaded, useAction, useLoaded } from './use-action.ts';

export interface WalletState extends Loaded<Wallet | undefined> {
  /** There is none yet: offer `create`. */
  readonly isMissing: boolean;
  readonly create: Action<[body: Body<'createMyWallet'>], Wallet>;
}

/** The user's wallet, by default `me:evm`, and how to make it when there is none. */
export function useWallet(locator = 'me:evm'): WalletState {
  const { client } = usePurser();
  const loaded = useLoaded(locator, (signal) =>
    client.getWallet(locator, { signal }).catch((error: unknown) => {
      if (error instanceof NotFoundError) return null;
      throw error;
    }),
  );
  const create = useAction(async (signal, body: Body<'createMyWallet'>) => {
    const wallet = await client.createMyWallet(body, { signal });
    loaded.refresh();
    return wallet;
  });
  return {
    ...loaded,
    value: create.value ?? loaded.value ?? undefined,
    isMissing: loaded.value === null && !create.value,
    create,
  };
}

export interface WalletCardProps {
  /** What `useWallet` gave. */
  readonly wallet: WalletState;
  /**
   * Makes what `createMyWallet` is given, e.g. after asking for a passkey. Without it a missing
   * wallet is only told.
   */
  readonly onCreate?: () => Promise<Body<'createMyWallet'>>;
  readonly createLabel?: string;
  readonly className?: string;
  /** Below the address of a wallet that is there. */
  readonly children?: ReactNode;
}

/** The user's wallet with its address; or a button that makes it. */
export function WalletCard({
  wallet,
  onCreate,
  createLabel = 'Create my wallet',
  className,
  children,
}: WalletCardProps) {
  const { value, error, isMissing, create } = wallet;
  const make = useAction(async () => create.run(await onCreate!()));
  const isLoading = !value && !isMissing && !error;
  return (
    <Card title="Wallet" className={className}>
      {value && <Address address={value.address} />}
      {isMissing && onCreate && (
        <Button busy={make.status === 'running'} onClick={() => void make.run()}>
          {createLabel}
        </Button>
      )}
      <Status>
        {isLoading && 'Loading …'}
        {isMissing && !onCreate && 'There is no wallet yet.'}
      </Status>
      <Failure error={make.error ?? create.error ?? error} />
      {value && children}
    </Card>
  );
}

/** An address, shortened for the eye, with a button that copies it. */
export function Address({ address }: { address: string }) {
  const copy = useAction(async () => navigator.clipboard.writeText(address));
  return (
    <p className="purser-address">
      <code title={address}>{shortenAddress(address)}</code>
      <Button
        kind="quiet"
        onClick={() => void copy.run()}
        aria-label={`Copy the address ${address}`}
      >
        {copy.status === 'done' ? 'Copied' : 'Copy'}
      </Button>
    </p>
  );
}

export interface BalanceOptions {
  /** Symbols, separated by commas. */
  readonly tokens: string;
  /** Names of chains, separated by commas. */
  readonly chains?: string;
  /** Default 5,000. */
  readonly pollMs?: number;
}

/** What a wallet holds, looked at again every few seconds. */
export function useBalance(
  locator: string | undefined,
  { tokens, chains, pollMs = 5_000 }: BalanceOptions,
) {
  const { client } = usePurser();
  const key = locator === undefined ? undefined : `${locator} ${tokens} ${chains}`;
  return useLoaded(
    key,
    (signal) =>
      client.getWalletBalances(
        locator!,
        { tokens, ...(chains === undefined ? {} : { chains }) },
        { signal },
      ),
    pollMs,
  );
}

export interface BalanceProps extends BalanceOptions {
  readonly locator?: string;
  readonly className?: string;
}

/** What a wallet holds, token by token. */
export function Balance({ locator = 'me:evm', className, ...options }: BalanceProps) {
  const { value, error } = useBalance(locator, options);
  return (
    <Card title="Balance" className={className}>
      {value && (
        <ul className="purser-balances">
          {value.tokens.map(({ symbol, address, balance, decimals, chain }) => (
            <li key={`${chain} ${symbol ?? address}`}>
              <span className="purser-amount">{formatUnits(balance, decimals)}</span>{' '}
              <span>{symbol?.toUpperCase() ?? address}</span>
              <span className="purser-hint">{chain}</span>
            </li>
          ))}
        </ul>
      )}
      {!value && !error && <Status>Loading …</Status>}
      <Failure error={error} />
    </Card>
  );
}
