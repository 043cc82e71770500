// Runs in the browser. It has a client key and the JWT of its user; approvals are signed by the
// passkey.
import {
  createPasskey,
  createPurser,
  type PurserSigner,
  passkeySigner,
  type Review,
} from '@purser/sdk';

const chain = 'base-sepolia';
const friend = '0x00000000000000000000000000000000000F00D5';

interface PageSettings {
  readonly baseUrl: string;
  readonly clientKey: string;
  readonly jwt: string;
}

const settings = (await (await fetch('/settings.json')).json()) as PageSettings;
const purser = createPurser({
  baseUrl: settings.baseUrl,
  apiKey: settings.clientKey,
  userJwt: () => settings.jwt,
});
let signer: PurserSigner | undefined;
let address = '';

onClick('create', async () => {
  const passkey = await createPasskey({ name: 'My wallet' });
  signer = passkeySigner(passkey);
  const wallet = await purser.createMyWallet({
    chainType: 'evm',
    config: { adminSigner: { type: 'passkey', ...passkey } },
  });
  address = wallet.address;
  tell(`Your wallet is ${address}. Nothing is deployed yet: the first transfer does it.`);
  enable('fund');
});

onClick('fund', async () => {
  await purser.fundWallet(address, { amount: 20, token: 'usdxm', chain });
  tell('20 test dollars have arrived.');
  enable('send');
});

onClick('send', async () => {
  const sent = await purser.transfer(
    address,
    `${chain}:usdxm`,
    { recipient: friend, amount: '5' },
    { signers: [signer!], review: show },
  );
  tell(`Sent, and confirmed in ${sent.onChain.txId}. The service paid the gas.`);
});

enable('create');

/**
 * Before the passkey is asked: what the client read out of what it will sign, and compared with
 * what was asked for.
 */
function show(_: unknown, review: Review): void {
  for (const call of review.kind === 'operation' ? review.calls : [])
    if (call.kind === 'transfer')
      tell(
        `Confirm with your passkey: ${call.amount} ${call.token.symbol} to ${call.recipient} on ${review.chain} …`,
      );
}

function onClick(id: string, act: () => Promise<void>): void {
  const button = document.getElementById(id) as HTMLButtonElement;
  button.addEventListener('click', async () => {
    button.disabled = true;
    try {
      await act();
    } catch (error) {
      tell(error instanceof Error ? error.message : String(error));
      button.disabled = false;
    }
  });
}

function enable(id: string): void {
  (document.getElementById(id) as HTMLButtonElement).disabled = false;
}

function tell(text: string): void {
  document.getElementById('log')!.append(`${text}\n`);
}
