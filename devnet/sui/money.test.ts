/** @module-tag slow */

import { bcs } from '@mysten/sui/bcs';
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { Transaction, type TransactionArgument } from '@mysten/sui/transactions';
import { normalizeStructTag, normalizeSuiAddress } from '@mysten/sui/utils';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Chain, gasPrice } from './ledger/chain.ts';
import {
  amountOf,
  coinType,
  fromBcs,
  refOf,
  type SuiObject,
  suiType,
  toBcs,
} from './ledger/objects.ts';

const usd = normalizeStructTag('0xabc::usd::USD');
const keys = [new Ed25519Keypair(), new Ed25519Keypair()] as const;
const addresses = keys.map((key) => key.toSuiAddress());
const step = fc.record({
  kind: fc.constantFrom('split', 'merge', 'give', 'join', 'part', 'text'),
  one: fc.nat(5),
  other: fc.nat(5),
  amount: fc.bigInt(0n, 3_000n),
  to: fc.nat(1),
});
const plan = fc.record({
  sender: fc.nat(1),
  payer: fc.nat(1),
  budget: fc.constantFrom(1_000_000n, 3_000_000n, 50_000_000n),
  steps: fc.array(step, { minLength: 1, maxLength: 6 }),
});
type Plan = typeof plan extends fc.Arbitrary<infer T> ? T : never;

function newChain() {
  const chain = new Chain({ epochMs: 86_400_000, historyMax: 100 });
  let id = 0x100;
  for (const owner of addresses) {
    for (const amount of [60_000_000n, 70_000_000n, 80_000_000n])
      chain.fund(normalizeSuiAddress((++id).toString(16)), owner, { type: suiType, amount });
    for (const amount of [1_000n, 2_000n, 0n])
      chain.fund(normalizeSuiAddress((++id).toString(16)), owner, { type: usd, amount });
  }
  return chain;
}

const all = (chain: Chain): SuiObject[] => addresses.flatMap((owner) => chain.ownedBy(owner));
const sumOf = (chain: Chain, type: string) =>
  all(chain).reduce((sum, one) => sum + (one.type === coinType(type) ? amountOf(one) : 0n), 0n);

/** Commands as they come, sensible or not. */
function write(chain: Chain, { sender, payer, budget, steps }: Plan): Transaction | undefined {
  const owned = chain.ownedBy(addresses[sender]!);
  const gas = chain.ownedBy(addresses[payer]!).filter(({ type }) => type === coinType(suiType));
  const paying = gas.filter((one) => amountOf(one) >= budget).slice(0, 1);
  if (paying.length === 0) return undefined;
  const tx = new Transaction();
  const coins: TransactionArgument[] = [
    tx.gas,
    ...owned
      .filter(({ id }) => id !== paying[0]!.id)
      .slice(0, 5)
      .map((one) => tx.object(tx.objectRef(refOf(one)))),
  ];
  const at = (index: number) => coins[index % coins.length]!;
  for (const { kind, one, other, amount, to } of steps) {
    if (kind === 'split') coins.push(tx.splitCoins(at(one), [amount])[0]!);
    if (kind === 'merge') tx.mergeCoins(at(one), [at(other)]);
    if (kind === 'give') tx.transferObjects([at(one)], addresses[to]!);
    if (kind === 'join')
      tx.moveCall({
        target: '0x2::coin::join',
        typeArguments: [usd],
        arguments: [at(one), at(other)],
      });
    if (kind === 'part')
      coins.push(
        tx.moveCall({
          target: '0x2::coin::split',
          typeArguments: [suiType],
          arguments: [at(one), tx.pure.u64(amount)],
        }),
      );
    if (kind === 'text')
      tx.moveCall({ target: '0x1::string::utf8', arguments: [tx.pure.string('x'.repeat(one))] });
  }
  // What is left over is kept, so that more of them succeed.
  for (const coin of coins.slice(1).toReversed().slice(0, 2))
    tx.transferObjects([coin], addresses[sender]!);
  tx.setSender(addresses[sender]!);
  tx.setGasOwner(addresses[payer]!);
  tx.setGasPayment(paying.map(refOf));
  tx.setGasBudget(budget);
  tx.setGasPrice(gasPrice);
  return tx;
}

it('no transaction makes money or loses any: what is gone is the gas, and every object is its digest', async () => {
  const outcomes = { done: 0, failed: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(plan, { minLength: 3, maxLength: 6 }), async (plans) => {
      const chain = newChain();
      let left = sumOf(chain, suiType);
      for (const one of plans) {
        const tx = write(chain, one);
        if (!tx) continue;
        const bytes = await tx.build();
        const signers = [...new Set([one.sender, one.payer])].map((index) => keys[index]!);
        const signatures = await Promise.all(
          signers.map(async (key) =>
            Buffer.from((await key.signTransaction(bytes)).signature, 'base64'),
          ),
        );
        const { effects } = await chain.run(bytes, signatures);
        const { computationCost, storageCost, storageRebate } = effects!.gasUsed!;
        const net = computationCost! + storageCost! - storageRebate!;
        outcomes[effects!.status!.success ? 'done' : 'failed']++;
        expect(net).toBeLessThanOrEqual(one.budget);
        left -= net;
        expect([sumOf(chain, suiType), sumOf(chain, usd)]).toEqual([left, 6_000n]);
        const written = bcs.TransactionEffects.parse(effects!.bcs!.value!).V2!.changedObjects;
        for (const [id, { outputState }] of written) {
          const object = chain.read(id);
          expect(object && refOf(object).digest).toBe(outputState.ObjectWrite?.[0]);
          if (object) expect(fromBcs(toBcs(object))).toEqual(object);
        }
      }
    }),
    { numRuns: 15, seed: 51 },
  );
  // The plans are neither all refused nor all the same.
  expect(Math.min(outcomes.done, outcomes.failed)).toBeGreaterThan(0);
});
