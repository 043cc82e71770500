import { encodeFunctionData, type Hex, parseAbi } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Stack, startStack } from '../../test/harness/stack.ts';
import {
  createPurser,
  externalWalletSigner,
  type Purser,
  type PurserSigner,
  type Signature,
  type Transaction,
} from '../src/index.ts';

/**
 * A thief who has the whole service: it answers what he likes, and relays what anybody signed. It
 * is played by the real service with a proxy in front of the client that changes answers on their
 * way. The user's keys are the user's. Every wallet holds ten dollars and asks for one to be sent;
 * each attack ends with what was there, or with what was asked for.
 */

const chain = 'base-sepolia';
const usdxm = `${chain}:usdxm`;
const thief = '0x000000000000000000000000000000000000dEaD';
const friend = '0x000000000000000000000000000000000000bEEF';
const asked = { recipient: friend, amount: '1' };
const hour = 3_600_000;
const erc20 = parseAbi(['function transfer(address to, uint256 amount) returns (bool)']);

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack?.close());

type Answer = Record<string, any>;
const pathOf = (address: string, rest = '') => `/2025-06-09/wallets/${address}${rest}`;
const balanceData = (address: string) =>
  encodeFunctionData({
    abi: parseAbi(['function balanceOf(address) view returns (uint256)']),
    args: [address as Hex],
  });

async function balanceOf(address: string, on = chain): Promise<number> {
  const to = await stack.tokenAddress(on, 'usdxm');
  return (
    Number(
      BigInt(
        await stack.chainCall<Hex>(on, 'eth_call', [{ to, data: balanceData(address) }, 'latest']),
      ),
    ) /
    10 ** 6
  );
}

const anOwner = () => externalWalletSigner(privateKeyToAccount(generatePrivateKey()));

/** A wallet of this signer with ten dollars on each of the chains. */
async function aWalletOf(
  signer: PurserSigner,
  chains: readonly string[] = [chain],
): Promise<string> {
  const created = await post('/2025-06-09/wallets', {
    chainType: 'evm',
    type: 'smart',
    config: { adminSigner: signer.input },
  });
  for (const one of chains)
    await post(`/v1-alpha2/wallets/${created.address}/balances`, {
      amount: 10,
      token: 'usdxm',
      chain: one,
    });
  return created.address as string;
}

async function post(path: string, body: object): Promise<Answer> {
  const answer = await stack.call('POST', path, { body });
  expect([answer.status, answer.text]).toEqual([
    expect.toSatisfy((status: number) => status < 300),
    expect.any(String),
  ]);
  return answer.body as Answer;
}

interface Lie {
  /** The answer as the client gets it. */
  readonly answer: (honest: Answer) => Answer | Promise<Answer>;
  /** Which answers: path behind `/api`, and method. */
  readonly to: RegExp;
}

/**
 * A client whose service lies; what it posts as approvals of one object is posted for another, when
 * `relay` names one.
 */
function aVictim(
  lies: readonly Lie[],
  relay: () => { path: string } | undefined = () => undefined,
): { purser: Purser; posted: Answer[] } {
  const posted: Answer[] = [];
  const purser = createPurser({
    baseUrl: stack.api.baseUrl,
    apiKey: stack.api.serverKey,
    async fetch(input, init) {
      const request = new Request(input as Request, init);
      const path = new URL(request.url).pathname.replace(/^\/api/, '');
      if (request.method === 'POST' && path.endsWith('/approvals')) {
        const body = (await request.clone().json()) as Answer;
        posted.push(body);
        const target = relay();
        if (target) {
          const { status, body: relayed } = await stack.call('POST', target.path, { body });
          return Response.json(relayed, { status });
        }
      }
      const response = await fetch(request);
      const lie = lies.find(({ to }) => to.test(`${request.method} ${decodeURIComponent(path)}`));
      if (!lie || !response.ok) return response;
      return Response.json(await lie.answer((await response.json()) as Answer), {
        status: response.status,
      });
    },
  });
  return { purser, posted };
}

const messageOf = (object: Answer) => object['approvals'].pending[0].message as string;
function withMessage(object: Answer, message: string): Answer {
  const [first] = object['approvals'].pending;
  return { ...object, approvals: { ...object['approvals'], pending: [{ ...first, message }] } };
}

/** What the client throws; what was relayed has ended on the chain before this is done. */
async function outcomeOf(call: Promise<unknown>): Promise<string> {
  const text = await call.then(
    () => 'done',
    (error: unknown) => (error as { name: string }).name,
  );
  for (const { wallet, id } of thefts.splice(0)) {
    const { status } = (await stack.call('GET', pathOf(wallet, `/transactions/${id}`))).body as {
      status: string;
    };
    if (status === 'pending') await stack.waitForTransaction(wallet, id).catch(() => undefined);
  }
  return text;
}

/** Operations of the thief: the service makes them, and needs the user's signature. */
const thefts: { wallet: string; id: string }[] = [];
async function aTheft(wallet: string, on = chain): Promise<Answer> {
  const theft = await post(pathOf(wallet, `/tokens/${on}:usdxm/transfers`), {
    recipient: thief,
    amount: '10',
  });
  thefts.push({ wallet, id: theft['id'] });
  return theft;
}
const approvalsOf = (wallet: string, theft: Answer) => () => ({
  path: pathOf(wallet, `/transactions/${theft['id']}/approvals`),
});
const transfers = /^POST .*\/transfers$/;
const refusal = 'ApprovalRefusedError';

describe('a service in other hands does not get a signature for what the user did not ask for', () => {
  it('with the message of another operation beside the honest one', { tags: 'slow' }, async () => {
    const owner = anOwner();
    const wallet = await aWalletOf(owner);
    const theft = await aTheft(wallet);
    const { purser, posted } = aVictim(
      [{ to: transfers, answer: (honest) => withMessage(honest, messageOf(theft)) }],
      approvalsOf(wallet, theft),
    );
    const outcome = await outcomeOf(
      purser.transfer(wallet, usdxm, asked, { signers: [owner], timeoutMs: 3_000 }),
    );
    expect([await balanceOf(wallet), outcome, posted]).toEqual([10, refusal, []]);
  });

  it('with another operation, its typed data and its message, under the words of the honest one', {
    tags: 'slow',
  }, async () => {
    const owner = anOwner();
    const wallet = await aWalletOf(owner);
    const theft = await aTheft(wallet);
    const { purser, posted } = aVictim(
      [
        {
          to: transfers,
          answer: (honest) => ({
            ...honest,
            onChain: theft['onChain'],
            approvals: theft['approvals'],
          }),
        },
      ],
      approvalsOf(wallet, theft),
    );
    const outcome = await outcomeOf(
      purser.transfer(wallet, usdxm, asked, { signers: [owner], timeoutMs: 3_000 }),
    );
    expect([await balanceOf(wallet), outcome, posted]).toEqual([10, refusal, []]);
  });

  it('with the same calls for another wallet of the same key', async () => {
    const owner = anOwner();
    const [wallet, savings] = [await aWalletOf(owner), await aWalletOf(owner)];
    const other = await post(pathOf(savings, `/tokens/${usdxm}/transfers`), asked);
    thefts.push({ wallet: savings, id: other['id'] });
    const { purser, posted } = aVictim(
      [{ to: transfers, answer: () => other }],
      approvalsOf(savings, other),
    );
    const outcome = await outcomeOf(
      purser.transfer(wallet, usdxm, asked, { signers: [owner], timeoutMs: 3_000 }),
    );
    expect([await balanceOf(savings), outcome, posted]).toEqual([10, refusal, []]);
  });

  it('with the same transfer on another chain', { tags: 'slow' }, async () => {
    const owner = anOwner();
    const wallet = await aWalletOf(owner, [chain, 'ethereum-sepolia']);
    const other = await post(pathOf(wallet, '/tokens/ethereum-sepolia:usdxm/transfers'), asked);
    thefts.push({ wallet, id: other['id'] });
    const { purser, posted } = aVictim(
      [{ to: transfers, answer: () => other }],
      approvalsOf(wallet, other),
    );
    const outcome = await outcomeOf(
      purser.transfer(wallet, usdxm, asked, { signers: [owner], timeoutMs: 3_000 }),
    );
    expect([await balanceOf(wallet, 'ethereum-sepolia'), outcome, posted]).toEqual([
      10,
      refusal,
      [],
    ]);
  });

  it('with typed data of a module of his own', async () => {
    const owner = anOwner();
    const wallet = await aWalletOf(owner);
    const lie = (honest: Answer) => {
      const typedData = honest['onChain'].typedData;
      typedData.domain.verifyingContract = thief;
      return honest;
    };
    const { purser, posted } = aVictim([{ to: transfers, answer: lie }]);
    const outcome = await outcomeOf(
      purser.transfer(wallet, usdxm, asked, { signers: [owner], timeoutMs: 3_000 }),
    );
    expect([outcome, posted]).toEqual([refusal, []]);
  });

  it('with calls of his own where the user sends calls', async () => {
    const owner = anOwner();
    const wallet = await aWalletOf(owner);
    const theft = await aTheft(wallet);
    const { purser, posted } = aVictim(
      [
        {
          to: /^POST .*\/transactions$/,
          answer: (honest) => ({ ...theft, params: honest['params'] }),
        },
      ],
      approvalsOf(wallet, theft),
    );
    const call = {
      address: await stack.tokenAddress(chain, 'usdxm'),
      functionName: 'transfer',
      abi: [...erc20],
      args: [friend, '1000000'],
    };
    const params = { chain, calls: [call] };
    const outcome = await outcomeOf(
      purser.transact(wallet, params, { signers: [owner], timeoutMs: 3_000 }),
    );
    expect([await balanceOf(wallet), outcome, posted]).toEqual([10, refusal, []]);
  });

  it('with a signer of his own where the user adds one, or with one that may do more', async () => {
    const owner = anOwner();
    const wallet = await aWalletOf(owner);
    const delegate = anOwner();
    const expiresAt = (hours: number) =>
      new Date(stack.ctx.clock.now().getTime() + hours * hour).toISOString();
    const scopes = (amount: string) => [
      { type: 'transfer' as const, tokenLocator: usdxm, spendingLimit: { amount } },
    ];
    const body = { signer: delegate.locator, chain, scopes: scopes('5'), expiresAt: expiresAt(1) };
    const lies = [
      { ...body, signer: `external-wallet:${thief}` },
      { ...body, scopes: undefined },
      { ...body, scopes: scopes('5.000001') },
      { ...body, expiresAt: expiresAt(2) },
    ];
    for (const lie of lies) {
      const theft = await post(pathOf(wallet, '/signers'), lie);
      const entry = theft['chains'][chain];
      const request = (await stack.call('GET', pathOf(wallet, `/signatures/${entry.id}`)))
        .body as Answer;
      const { purser, posted } = aVictim(
        [
          { to: /^GET .*\/signatures\//, answer: () => request },
          {
            to: /^POST .*\/signers$/,
            answer: (honest) => ({ ...honest, chains: theft['chains'] }),
          },
        ],
        () => ({ path: pathOf(wallet, `/signatures/${entry.id}/approvals`) }),
      );
      const outcome = await outcomeOf(
        purser.addSigner(wallet, body, { signers: [owner], timeoutMs: 3_000 }),
      );
      expect([outcome, posted]).toEqual([refusal, []]);
    }
  });

  it('with another text under the one that the user signs', async () => {
    const owner = anOwner();
    const wallet = await aWalletOf(owner);
    const other = await post(pathOf(wallet, '/signatures'), {
      type: 'message',
      params: { chain, message: 'I owe the thief a house' },
    });
    const { purser, posted } = aVictim([
      { to: /^POST .*\/signatures$/, answer: (honest) => withMessage(honest, messageOf(other)) },
    ]);
    const body = { type: 'message' as const, params: { chain, message: 'hello' } };
    const outcome = await outcomeOf(
      purser.sign(wallet, body, { signers: [owner], timeoutMs: 3_000 }),
    );
    expect([outcome, posted]).toEqual([refusal, []]);
    const swapped = aVictim([{ to: /^POST .*\/signatures$/, answer: () => other }]);
    const second = await outcomeOf(
      swapped.purser.sign(wallet, body, { signers: [owner], timeoutMs: 3_000 }),
    );
    expect([second, swapped.posted]).toEqual([refusal, []]);
  });

  it('with an operation where the user signs a text', async () => {
    const owner = anOwner();
    const wallet = await aWalletOf(owner);
    const theft = await aTheft(wallet);
    const { purser, posted } = aVictim(
      [{ to: /^POST .*\/signatures$/, answer: (honest) => withMessage(honest, messageOf(theft)) }],
      approvalsOf(wallet, theft),
    );
    const body = { type: 'message' as const, params: { chain, message: 'hello' } };
    const outcome = await outcomeOf(
      purser.sign(wallet, body, { signers: [owner], timeoutMs: 3_000 }),
    );
    expect([await balanceOf(wallet), outcome, posted]).toEqual([10, refusal, []]);
  });

  it('with another operation in a transaction that somebody approves as it is shown', async () => {
    const owner = anOwner();
    const wallet = await aWalletOf(owner);
    const theft = await aTheft(wallet);
    const honest = await post(pathOf(wallet, `/tokens/${usdxm}/transfers`), asked);
    const { purser, posted } = aVictim([], approvalsOf(wallet, theft));
    for (const lie of [
      { onChain: theft['onChain'] },
      { onChain: theft['onChain'], params: theft['params'] },
    ]) {
      const shown = { ...honest, ...lie, approvals: theft['approvals'] } as Transaction;
      const outcome = await outcomeOf(
        purser.approveTransaction(wallet, shown, { signers: [owner] }),
      );
      expect([await balanceOf(wallet), outcome, posted]).toEqual([10, refusal, []]);
    }
  });

  it('with typed data that counts for the key itself, unless somebody looks at it', async () => {
    const owner = anOwner();
    const wallet = await aWalletOf(owner);
    const typedData = {
      domain: { name: 'USD Coin', chainId: 84532, verifyingContract: friend },
      types: { Permit: [{ name: 'spender', type: 'address' }] },
      primaryType: 'Permit',
      message: { spender: thief },
    };
    const params = { chain, typedData, isSmartWalletSignature: false };
    const request = (await post(pathOf(wallet, '/signatures'), {
      type: 'typed-data',
      params,
    })) as Signature;
    const { purser, posted } = aVictim([]);
    expect(await outcomeOf(purser.approveSignature(wallet, request, { signers: [owner] }))).toBe(
      refusal,
    );
    expect(posted).toEqual([]);
    const approved = await purser.approveSignature(wallet, request, {
      signers: [owner],
      review: () => undefined,
    });
    expect(approved.status).toBe('success');
  });

  it('with a wallet of his own for the one that the user creates', async () => {
    const his = await aWalletOf(anOwner());
    const { purser } = aVictim([
      { to: /^POST .*\/wallets$/, answer: (honest) => ({ ...honest, address: his }) },
    ]);
    const body = {
      chainType: 'evm' as const,
      config: { adminSigner: anOwner().input as { type: 'external-wallet'; address: string } },
    };
    const outcome = await outcomeOf(purser.createWallet(body));
    expect(outcome).toBe('WalletAddressError');
  });
});
