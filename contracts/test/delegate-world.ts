import { type Address, encodeFunctionData, type Hex, type TransactionReceipt } from 'viem';
import { expect } from 'vitest';
import {
  addresses,
  encodeAddSigner,
  encodeBumpEpoch,
  encodeBumpEpochOf,
  encodeRemoveSigner,
  hashOperation,
  nativeToken,
  type Operation,
  operationEpoch,
  parseSignerEvents,
  safeAbi,
  type TransferScopeInput,
} from '../index.ts';
import {
  aWallet,
  deploy,
  execute,
  executeBatch,
  executeData,
  readExecuted,
  type Submitted,
  submit,
  type TestChain,
  type TestWallet,
  transferCall,
} from './chain.ts';
import {
  bookChange,
  epochOf,
  fits,
  generationOf,
  isOfEpoch,
  type Payment,
  recipientAt,
  recipients,
  type Signed,
  type SignedChange,
  type SignedSpend,
  signChange,
  signerAt,
  thiefKey,
  type World,
  walletAt,
  whoOf,
} from './delegate-model.ts';
import { type Step, walletCount, windowSum } from './delegate-steps.ts';
import { aDelegateOperation, signAs } from './delegates.ts';
import { aHostile, setReentry, testArtifact, throughHostile } from './hostile.ts';

/**
 * Random histories of wallets and their delegates against a model. The admin adds, replaces and
 * removes delegates; delegates sign transfers of all sorts; anybody submits, again, late, in
 * batches, with other scopes, from inside a token; a thief calls everything; time moves. What ran
 * is read from the chain's events and held against what was allowed.
 */

/** Wallets whose delegates all have scopes at first. */
export async function aWorld(
  chain: TestChain,
  registrations: Extract<Step, { do: 'register' }>['scopes'][],
): Promise<World> {
  const hostile = await deploy(chain, testArtifact('HostileToken'));
  const hook = await aHostile(chain, 'accept');
  await submit(chain, {
    to: hostile,
    data: encodeFunctionData({
      abi: testArtifact('HostileToken').abi,
      functionName: 'setHook',
      args: [hook],
    }),
  });
  const wallets: TestWallet[] = [];
  for (let index = 0; index < walletCount; index++) {
    const wallet = await aWallet(chain, { deployed: true });
    await submit(chain, {
      to: hostile,
      data: encodeFunctionData({
        abi: testArtifact('HostileToken').abi,
        functionName: 'mint',
        args: [wallet.address, 1_000_000_000n],
      }),
    });
    wallets.push(wallet);
  }
  const world: World = {
    chain,
    wallets,
    tokens: [chain.token, hostile, nativeToken],
    hook,
    signed: [],
    ran: new Set(),
    registrations: new Map(),
    generations: new Map(),
    epochs: wallets.map(() => 0),
    spends: new Map(),
    paid: new Map(),
    counts: { calls: 0, spends: 0, refusals: 0 },
  };
  for (const [signer, scopes] of registrations.entries())
    for (const wallet of wallets.keys())
      await takeStep(world, {
        do: 'register',
        wallet,
        signer,
        scopes,
        opensIn: 0,
        closesIn: undefined,
        held: null,
      });
  return world;
}

/** What one of the actors does, at most one transaction, and what that did to the world. */
export async function takeStep(world: World, step: Step): Promise<void> {
  const { chain } = world;
  if (step.do === 'wait') {
    await chain.client.increaseTime({ seconds: step.seconds });
    return chain.client.mine({ blocks: 1 });
  }
  if (step.do === 'register' || step.do === 'remove' || step.do === 'end') {
    const signed = await signChange(world, step);
    return step.held ? undefined : submitChange(world, signed);
  }
  if (step.do === 'intrude') return intrude(world, step);
  if (step.do === 'spend') {
    const signed = await signSpend(world, step);
    if (step.held) return;
    return submitSpend(world, signed);
  }
  const pick = (index: number) => world.signed[index % world.signed.length];
  if (step.do === 'batch') {
    const items = step.which.flatMap((index) => pick(index) ?? []);
    return settle(
      world,
      await executeBatch(
        chain,
        items.map(({ op, signature }) => ({
          op,
          signature,
          deployment: '0x' as const,
          gasLimit: 2_500_000n,
        })),
      ),
    );
  }
  const signed = pick(step.which);
  if (!signed) return;
  if (step.do === 'hook') {
    // The order of events would not say that the outer operation was looked at before an inner one
    // changed the rules.
    if (signed.by === 'admin') return;
    return setReentry(
      chain,
      world.hook,
      addresses.walletModule,
      executeData(signed.op, signed.signature),
      step.reverts ? 'reenterAndRevert' : 'reenter',
    );
  }
  if (signed.by === 'admin') return submitChange(world, signed);
  const { otherScopes } = step;
  if (!otherScopes) return submitSpend(world, signed);
  const scopes = signed.payments.map((_, index) => otherScopes[index] ?? 0);
  return submitSpend(world, {
    ...signed,
    scopes,
    signature: await signAs(chain, signerAt(signed.signer), signed.op, scopes),
  });
}

/**
 * What the admin signed runs in its epoch alone, and a registration in the generation that it
 * names.
 */
async function submitChange(world: World, signed: SignedChange): Promise<void> {
  const mayRun =
    !world.ran.has(hashOperation(world.chain.chainId, signed.op)) && isOfEpoch(world, signed);
  const isFitting = fits(world, signed);
  const submitted = await submitSigned(world, signed);
  const executed = readExecuted(submitted.receipt);
  expect(
    executed.map(({ success }) => success),
    `${signed.change.kind} by the admin`,
  ).toEqual(mayRun ? [isFitting] : []);
  return settle(world, submitted);
}

async function signSpend(world: World, step: Extract<Step, { do: 'spend' }>): Promise<SignedSpend> {
  const signer = signerAt(step.signer);
  const registered = world.registrations.get(whoOf(step))?.scopes ?? [];
  const aimed = step.payments.map((payment) => aimPayment(world, registered, payment));
  const payments = aimed.map(({ payment }) => payment);
  const scopes = step.otherScopes ?? (registered.length > 0 ? aimed.map(({ scope }) => scope) : []);
  const wallet = walletAt(world, step.wallet);
  const op = aDelegateOperation(world.chain, wallet, signer, {
    calls: payments.map((payment) => callOf(world, payment)),
    epoch: operationEpoch(epochOf(world, step), generationOf(world, step)),
    callGas: step.gas,
  });
  const signature = await signAs(world.chain, signer, op, scopes);
  const signed = {
    by: 'delegate' as const,
    wallet: step.wallet,
    signer: step.signer,
    payments,
    scopes,
    op,
    signature,
  };
  world.signed.push(signed);
  return signed;
}

/** A payment under one of the signer's scopes, changed where it goes astray. */
function aimPayment(
  { tokens }: World,
  registered: readonly TransferScopeInput[],
  { scope: pick, recipient, amount, astray }: Extract<Step, { do: 'spend' }>['payments'][number],
): { readonly payment: Payment; readonly scope: number } {
  const scope = registered.length > 0 ? pick % registered.length : 0;
  const aimed = registered[scope];
  const listed = aimed?.recipients ?? recipients;
  const payee = listed[recipient % listed.length] ?? nativeToken;
  const payment = {
    token: aimed ? tokens.indexOf(aimed.token) : pick % tokens.length,
    recipient: recipients.indexOf(payee),
    amount,
    form: 'transfer' as const,
  };
  return { scope, payment: { ...payment, ...astray } };
}

function callOf(
  { tokens }: World,
  { token, recipient, amount, form }: Payment,
): Operation['calls'][number] {
  const address = tokens[token] ?? nativeToken;
  const to = recipientAt(recipient);
  if (form === 'to the module')
    return {
      to: addresses.walletModule,
      value: 0n,
      data: encodeAddSigner({ signer: thiefKey, scopes: [] }),
    };
  if (address === nativeToken)
    return { to, value: amount, data: form === 'transfer' ? '0x' : '0x00' };
  const call = transferCall(address, to, amount);
  if (form === 'approve') return { ...call, data: `0x095ea7b3${call.data.slice(10)}` };
  if (form === 'more bytes') return { ...call, data: `${call.data}00` };
  return form === 'with value' ? { ...call, value: 1n } : call;
}

function submitSigned({ chain }: World, { op, signature }: Signed): Promise<Submitted> {
  return execute(chain, op, signature);
}

/** What the model says is allowed has to run, unless a token or too little gas keeps it from it. */
async function submitSpend(world: World, signed: SignedSpend): Promise<void> {
  const wasRun = world.ran.has(hashOperation(world.chain.chainId, signed.op));
  const before = new Map([...world.spends].map(([key, list]) => [key, [...list]]));
  const submitted = await submitSigned(world, signed);
  const at = Number(
    (await world.chain.client.getBlock({ blockNumber: submitted.receipt.blockNumber })).timestamp,
  );
  const refusal = wasRun ? 'ran already' : findRefusal(world, signed, at, before);
  const executed = readExecuted(submitted.receipt).find(
    ({ operationHash }) => operationHash === hashOperation(world.chain.chainId, signed.op),
  );
  const isPlain = signed.payments.every(({ token, form }) => token !== 1 && form === 'transfer');
  if (refusal) {
    world.counts.refusals++;
    expect(executed, `refused: ${refusal}`).toBeUndefined();
  } else if (isPlain) expect(executed?.success, 'what is allowed runs').toBe(true);
  return settle(world, submitted, signed);
}

/** Why the rule refuses this now; undefined when it does not. */
function findRefusal(
  world: World,
  signed: SignedSpend,
  at: number,
  spends: World['spends'],
): string | undefined {
  const registration = world.registrations.get(whoOf(signed));
  if (!registration) return 'not registered';
  if (
    !isOfEpoch(world, signed) ||
    Number(signed.op.epoch & 0xffffffffn) !== registration.generation
  )
    return 'signed before an end';
  if (at < registration.validAfter || at > registration.validUntil) return 'not in its time';
  if (signed.payments.some(({ form }) => form === 'to the module')) return 'forbidden target';
  if (registration.scopes.length === 0)
    return signed.scopes.length === 0 ? undefined : 'scopes of a signer without';
  if (signed.scopes.length !== signed.payments.length) return 'scopes missing';
  const taken = new Map<string, bigint>();
  for (const [index, payment] of signed.payments.entries()) {
    const scopeIndex = signed.scopes[index] ?? 0;
    const scope = registration.scopes[scopeIndex];
    if (!scope) return 'unknown scope';
    if (payment.form !== 'transfer' || scope.token !== world.tokens[payment.token])
      return 'no transfer of this token';
    if (scope.token === nativeToken && payment.amount === 0n) return 'no native payment';
    if (scope.recipients && !scope.recipients.includes(recipientAt(payment.recipient)))
      return 'recipient';
    const key = `${whoOf(signed)}/${registration.generation}/${scopeIndex}`;
    const sum = (taken.get(key) ?? 0n) + payment.amount;
    taken.set(key, sum);
    if (
      scope.limit !== undefined &&
      payment.amount > 0n &&
      windowSum(spends.get(key) ?? [], scope.interval ?? 0, at) + sum > scope.limit
    )
      return 'limit';
  }
  return undefined;
}

/**
 * Books what the chain says ran.
 * @param as what was submitted, where its scopes are not those it was first signed with
 */
async function settle(world: World, { receipt }: Submitted, as?: SignedSpend): Promise<void> {
  world.counts.calls++;
  const executed = readExecuted(receipt);
  const at = Number(
    (await world.chain.client.getBlock({ blockNumber: receipt.blockNumber })).timestamp,
  );
  for (const { operationHash, success } of executed) {
    const signed = world.signed.find(
      ({ op }) => hashOperation(world.chain.chainId, op) === operationHash,
    );
    expect(signed, 'only what was signed runs').toBeDefined();
    expect(world.ran.has(operationHash), 'at most once').toBe(false);
    world.ran.add(operationHash);
    if (!signed || !success) continue;
    if (signed.by === 'admin') bookChange(world, signed);
    else bookSpend(world, signed.op === as?.op ? as : signed, at, receipt);
  }
  const changes = executed.filter(
    ({ operationHash, success }) =>
      success &&
      world.signed.some(
        ({ by, op }) => by === 'admin' && hashOperation(world.chain.chainId, op) === operationHash,
      ),
  );
  expect(
    parseSignerEvents(receipt.logs).filter(({ args }) =>
      world.wallets.some(({ address }) => address === args.wallet),
    ),
    'only the admin changes signers',
  ).toHaveLength(changes.length);
}

function bookSpend(
  world: World,
  signed: SignedSpend,
  at: number,
  { transactionHash }: TransactionReceipt,
): void {
  const registration = world.registrations.get(whoOf(signed));
  expect(registration, `a delegate that acts is registered (${transactionHash})`).toBeDefined();
  if (!registration) return;
  expect(registration.validAfter <= at && at <= registration.validUntil, 'in its time').toBe(true);
  expect(signed.op.epoch, 'signed in this epoch, under this registration').toBe(
    operationEpoch(epochOf(world, signed), registration.generation),
  );
  for (const [index, { token, amount, form, recipient }] of signed.payments.entries()) {
    expect(form === 'to the module', 'never calls the module').toBe(false);
    const paidBy = `${signed.wallet}/${token}`;
    // An approval moves nothing, and of the native currency there are none.
    if (form !== 'approve' || token === 2)
      world.paid.set(paidBy, (world.paid.get(paidBy) ?? 0n) + amount);
    if (form === 'with value' && token !== 2) throw new Error('A token took native value.');
    if (registration.scopes.length === 0) continue;
    world.counts.spends++;
    const scopeIndex = signed.scopes[index] ?? 0;
    const scope = registration.scopes[scopeIndex];
    expect([scope?.token, form], 'a plain transfer of the scope’s token').toEqual([
      world.tokens[token],
      'transfer',
    ]);
    expect(
      !scope?.recipients || scope.recipients.includes(recipientAt(recipient)),
      'to a listed recipient',
    ).toBe(true);
    const key = `${whoOf(signed)}/${registration.generation}/${scopeIndex}`;
    if (amount > 0n) world.spends.set(key, [...(world.spends.get(key) ?? []), { at, amount }]);
  }
}

async function intrude(world: World, step: Extract<Step, { do: 'intrude' }>): Promise<void> {
  const { chain } = world;
  const wallet = walletAt(world, step.wallet);
  const attacks: [Address, Hex][] = [
    [addresses.walletModule, encodeAddSigner({ signer: signerAt(step.signer).key, scopes: [] })],
    [addresses.walletModule, encodeRemoveSigner(signerAt(step.signer).key)],
    [
      wallet.address,
      encodeFunctionData({
        abi: safeAbi,
        functionName: 'execTransactionFromModule',
        args: [addresses.walletModule, 0n, encodeAddSigner({ signer: thiefKey, scopes: [] }), 0],
      }),
    ],
    [
      wallet.address,
      encodeFunctionData({ abi: safeAbi, functionName: 'enableModule', args: [thiefKey.address] }),
    ],
    [addresses.walletModule, encodeBumpEpoch()],
    [addresses.walletModule, encodeBumpEpochOf(wallet.address)],
  ];
  const [target, data] = attacks[step.what] ?? [wallet.address, '0x'];
  if (step.how === 'directly') return settle(world, await submit(chain, { to: target, data }));
  const bystander = await aHostile(chain, 'accept');
  return settle(
    world,
    await submit(chain, { to: bystander, data: throughHostile(step.how, target, data) }),
  );
}
