// A page with everything of @purser/react. The wallet belongs to a passkey of this device: nothing
// moves without it.
import {
  Approvals,
  Balance,
  CheckoutDialog,
  Onramp,
  PurserProvider,
  TransferForm,
  useAction,
  usePurser,
  useWallet,
  WalletCard,
} from '@purser/react';
import { type Body, createPasskey, type Passkey, type Purser, passkeySigner } from '@purser/sdk';
import { type FormEvent, useMemo, useState } from 'react';

const chain = 'base-sepolia';
const token = `${chain}:usdxm`;
const passkeyPlace = 'purser-example-passkey';

export function App({ purser, email }: { purser: Purser; email: string }) {
  // Which passkey it is may be kept: none of this is secret.
  const [passkey, setPasskey] = useState(
    () => JSON.parse(localStorage.getItem(passkeyPlace) ?? 'null') as Passkey | null,
  );
  const signers = useMemo(() => (passkey ? [passkeySigner(passkey)] : []), [passkey]);

  async function makeWallet() {
    const made = await createPasskey({ name: email });
    localStorage.setItem(passkeyPlace, JSON.stringify(made));
    setPasskey(made);
    return {
      chainType: 'evm' as const,
      config: { adminSigner: { type: 'passkey' as const, ...made } },
    };
  }

  return (
    <PurserProvider client={purser} signers={signers}>
      <main>
        <h1>Your wallet</h1>
        <p className="lead">
          Its key is a passkey of this device. You see what you approve before anything is signed.
        </p>
        <Cards email={email} makeWallet={makeWallet} />
      </main>
    </PurserProvider>
  );
}

function Cards({
  email,
  makeWallet,
}: {
  email: string;
  makeWallet: () => Promise<Body<'createMyWallet'>>;
}) {
  const wallet = useWallet();
  return (
    <div className="cards">
      <WalletCard
        wallet={wallet}
        onCreate={makeWallet}
        createLabel="Create my wallet with a passkey"
      >
        <TestMoney />
      </WalletCard>
      {wallet.value && (
        <>
          <Balance tokens="usdxm" chains={chain} pollMs={2_000} />
          <TransferForm token={token} />
          <Approvals />
          <Onramp walletAddress={wallet.value.address} token={token} receiptEmail={email} />
          <ShopForMe />
        </>
      )}
    </div>
  );
}

/** Outside production the service gives test money. */
function TestMoney() {
  const { client } = usePurser();
  const fund = useAction(async (signal) => {
    const { address } = await client.getWallet('me:evm', { signal });
    await client.fundWallet(address, { amount: 20, token: 'usdxm', chain }, { signal });
  });
  return (
    <button
      type="button"
      className="purser-button purser-quiet"
      disabled={fund.status === 'running'}
      onClick={() => void fund.run()}
    >
      Get 20 test dollars
    </button>
  );
}

/** An agent buys what the user wants, in front of the user. */
function ShopForMe() {
  const [url, setUrl] = useState('');
  const [isOpen, setIsOpen] = useState(false);
  const open = (event: FormEvent) => {
    event.preventDefault();
    setIsOpen(true);
  };
  return (
    <section className="purser-card" aria-label="Shop for me">
      <h2 className="purser-title">Shop for me</h2>
      <form className="purser-form" onSubmit={open}>
        <div className="purser-field">
          <label htmlFor="product">Page of the product</label>
          <input
            id="product"
            className="purser-input"
            type="url"
            required
            placeholder="https://"
            value={url}
            onChange={(event) => setUrl(event.target.value)}
          />
          <p className="purser-hint">At most 60 dollars; you are asked before anything is paid.</p>
        </div>
        <button type="submit" className="purser-button purser-primary">
          Buy it for me
        </button>
      </form>
      {isOpen && (
        <CheckoutDialog
          wish={{
            target: { kind: 'direct_url', url },
            constraints: { maxCost: { amount: '60.00', currency: 'USD' } },
          }}
          onClose={() => setIsOpen(false)}
        />
      )}
    </section>
  );
}
