/** @module-tag slow */

import { setTimeout as delay } from 'node:timers/promises';
import { ed25519 } from '@noble/curves/ed25519.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testConfig } from '../../../../test/harness/config.ts';
import { createManualClock } from '../../../lib/clock.ts';
import { SigningRefusedError } from '../../../lib/errors.ts';
import type { LateNetwork } from '../../family/late/network.ts';
import { lateRound } from '../../family/late/round.ts';
import { releaseIntents, withholdIntents } from '../../family/late/store.ts';
import { addressBytes } from '../encoding/addresses.ts';
import { signedBytes, writeBuilt } from '../operation/stored.ts';
import { newAddress, openWorld, projectId, type World } from '../testing/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world?.close());

async function aTransfer(amount = 10n, owner?: string) {
  const [wallet, recipient] = [world.aWallet(amount), newAddress()];
  const prepared = await world.prepareTransfer(wallet, amount, recipient);
  return { wallet, recipient, prepared, id: await world.submit(wallet, prepared, owner) };
}

const rowOf = async (id: string) => {
  const { rows } = await world.database.store.query<{
    status: string;
    raw: Buffer | null;
    tx_id: string | null;
  }>({
    text: 'select status, raw, tx_id from operation_intents where operation_id = $1',
    values: [id],
  });
  return rows[0]!;
};
const setRow = (id: string, set: string, values: readonly unknown[] = []) =>
  world.database.store.query({
    text: `update operation_intents set ${set} where operation_id = $1`,
    values: [id, ...values],
  });

/** A network of which one thing is another. */
const withOther = (other: Partial<LateNetwork>): LateNetwork => ({ ...world.late, ...other });

describe('an intent', () => {
  it('whose row somebody changed is neither signed nor sent, whatever was changed', async () => {
    const [mine, theirs] = [await aTransfer(), await aTransfer()];
    await setRow(
      mine.id,
      'operation = (select operation from operation_intents where operation_id = $2)',
      [theirs.id],
    );
    const other = await aTransfer();
    await setRow(other.id, 'wallet_id = gen_random_uuid()');
    const richer = await aTransfer();
    await setRow(richer.id, `project_id = gen_random_uuid(), cost_max = 1`);
    const relay = await world.start();
    expect((await world.outcomeOf(theirs.id)).status).toBe('success');
    await relay.stop();
    for (const { id, recipient } of [mine, other, richer]) {
      expect(await rowOf(id)).toMatchObject({ status: 'queued', raw: null });
      expect(await world.amountOf(recipient)).toBe(0n);
    }
  });

  it('is signed for what it is alone: another transaction, another payer that is the wallet itself, and other bytes get no signature', async () => {
    const { wallet, prepared } = await aTransfer();
    const stranger = await world.prepareTransfer(world.aWallet(5n), 5n, newAddress());
    const payer = addressBytes(world.feePayers[0]!.address);
    const rawOf = ({ onChain }: typeof prepared) =>
      new Uint8Array(Buffer.from(onChain['transaction'] as string, 'base64'));
    const good = writeBuilt(rawOf(prepared), payer);
    expect(
      ed25519.verify(
        ed25519.sign(signedBytes(prepared.operation, good), wallet.seed),
        signedBytes(prepared.operation, good),
        ed25519.getPublicKey(wallet.seed),
      ),
    ).toBe(true);
    for (const bad of [
      writeBuilt(rawOf(stranger), payer),
      writeBuilt(rawOf(prepared), addressBytes(wallet.address)),
      good.slice(1),
      new Uint8Array(40),
    ])
      expect(() => signedBytes(prepared.operation, bad)).toThrow();
  });

  it('whose stored bytes were replaced by those of another success is not told as done', async () => {
    const first = await aTransfer();
    const relay = await world.start();
    await world.outcomeOf(first.id);
    await relay.stop();
    const { raw, tx_id: txId } = await rowOf(first.id);
    const second = await aTransfer();
    await setRow(second.id, `status = 'sent', raw = $2, tx_id = $3, sent_at = now()`, [raw, txId]);
    const third = await aTransfer();
    const next = await world.start();
    await world.outcomeOf(third.id);
    await world.until(async () => (await rowOf(second.id)).status === 'sent', 'another look');
    await next.stop();
    expect(world.outcomes.find(({ operationId }) => operationId === second.id)).toBeUndefined();
    expect(await world.amountOf(second.recipient)).toBe(0n);
  });

  it('is asked for less and less often while custody is away', async () => {
    const { id } = await aTransfer();
    const atMs: number[] = [];
    const relay = await world.start({
      async signBuilt() {
        atMs.push(performance.now());
        throw new Error('custody is away');
      },
    });
    await world.until(() => atMs.length >= 4, 'four tries');
    await relay.stop();
    const pauses = atMs.slice(1).map((at, index) => at - atMs[index]!);
    // 0.5 s, 1 s, 2 s: whatever a loaded machine adds, none may be shorter.
    for (const [index, leastMs] of [490, 990, 1_990].entries())
      expect(pauses[index]).toBeGreaterThan(leastMs);
    expect(await rowOf(id)).toMatchObject({ status: 'queued', raw: null });
    await setRow(id, `status = 'settled'`);
  });

  it('for which custody was away is not ended by the first node that lags behind it', async () => {
    const { id, recipient } = await aTransfer();
    let [asked, built] = [0, 0];
    const relay = await world.start({
      async signBuilt(input) {
        if (++asked < 4) throw new Error('custody is away');
        return world.deps().signBuilt(input);
      },
      network: withOther({
        async build(operation, of) {
          if (++built !== 4) return world.late.build(operation, of);
          return { refused: { reason: 'execution_reverted', message: 'a node that lags' } };
        },
      }),
    });
    expect((await world.outcomeOf(id)).status).toBe('success');
    await relay.stop();
    expect([asked, built, await world.amountOf(recipient)]).toEqual([4, 5, 10n]);
  });

  it('that custody refuses for good ends at once, with its sentence', async () => {
    const { id, recipient } = await aTransfer();
    let asked = 0;
    const relay = await world.start({
      async signBuilt() {
        asked++;
        throw new SigningRefusedError('Custody does not sign it: its key is another one.');
      },
    });
    expect(await world.outcomeOf(id)).toMatchObject({
      status: 'failed',
      onChain: {},
      error: {
        reason: 'failed_to_land_on_chain',
        message: 'Custody does not sign it: its key is another one.',
      },
    });
    await relay.stop();
    expect([asked, await world.amountOf(recipient)]).toEqual([1, 0n]);
  });

  it('of which custody refuses the bytes is built once more: a node may have lied', async () => {
    const { id, recipient } = await aTransfer();
    let asked = 0;
    const relay = await world.start({
      async signBuilt(input) {
        if (++asked === 1) throw new SigningRefusedError('another one', { ofBytes: true });
        return world.deps().signBuilt(input);
      },
    });
    expect((await world.outcomeOf(id)).status).toBe('success');
    await relay.stop();
    expect([asked, await world.amountOf(recipient)]).toEqual([2, 10n]);
  });

  it('that is past its time is told as expired without being signed', async () => {
    const { id, recipient } = await aTransfer();
    const later = createManualClock(new Date(Date.now() + 120_000));
    let signatures = 0;
    const relay = await world.start({
      clock: later,
      signBuilt: async (input) => {
        signatures++;
        return world.deps().signBuilt(input);
      },
    });
    expect(await world.outcomeOf(id)).toMatchObject({
      status: 'failed',
      costMinor: 0n,
      error: { reason: 'failed_to_land_on_chain' },
    });
    await relay.stop();
    expect([signatures, await world.amountOf(recipient)]).toEqual([0, 0n]);
  });

  it('that a node refuses without a word is sent again, the same bytes, until it is there', async () => {
    const { id, recipient } = await aTransfer();
    const sent: string[] = [];
    const relay = await world.start({
      settings: { ...world.deps().settings, resendAfterMs: 200 },
      network: withOther({
        async send(raw) {
          sent.push(Buffer.from(raw).toString('hex'));
          if (sent.length < 3) throw new Error('not now');
          await world.late.send(raw);
        },
      }),
    });
    expect((await world.outcomeOf(id)).status).toBe('success');
    await relay.stop();
    expect(new Set(sent).size).toBe(1);
    expect(await world.amountOf(recipient)).toBe(10n);
  });

  it('that one answer calls gone is not told as lost: the node is asked again', async () => {
    const { id } = await aTransfer();
    let looks = 0;
    const relay = await world.start({
      network: withOther({
        look: async (sent, of) => (++looks === 1 ? 'gone' : world.late.look(sent, of)),
      }),
    });
    expect((await world.outcomeOf(id)).status).toBe('success');
    await relay.stop();
    expect(looks).toBeGreaterThan(1);
  });

  it('that could not be looked for is not told as lost by one answer that calls it gone', async () => {
    const { id } = await aTransfer();
    let looks = 0;
    const relay = await world.start({
      network: withOther({
        async look(sent, of) {
          looks++;
          if (looks < 4) throw new Error('the node is away');
          return looks === 4 ? 'gone' : world.late.look(sent, of);
        },
      }),
    });
    expect((await world.outcomeOf(id)).status).toBe('success');
    await relay.stop();
  });

  it('that is withheld waits, and goes on when it is released', async () => {
    const { id, recipient } = await aTransfer();
    await world.database.store.transaction((tx) => withholdIntents(tx, [id]));
    const relay = await world.start();
    const other = await aTransfer();
    await world.outcomeOf(other.id);
    expect([(await rowOf(id)).status, await world.amountOf(recipient)]).toEqual(['queued', 0n]);
    await world.database.store.transaction((tx) => releaseIntents(tx, [id]));
    expect((await world.outcomeOf(id)).status).toBe('success');
    await relay.stop();
  });

  it('beyond the budget of its owner is refused with the sentence that says what to do, and another owner goes on', async () => {
    const bounds = { projectDayMaxMinor: 10n ** 12n, ownerDayMaxMinor: 1n };
    const first = await aTransfer(10n, 'user-1');
    const relay = await world.start({ bounds });
    expect((await world.outcomeOf(first.id)).status).toBe('success');
    const [second, other] = [await aTransfer(10n, 'user-1'), await aTransfer(10n, 'user-2')];
    expect(await world.outcomeOf(second.id)).toMatchObject({
      status: 'failed',
      error: { message: expect.stringMatching(/budget of the owner.*octas/) },
    });
    expect((await world.outcomeOf(other.id)).status).toBe('success');
    await relay.stop();
    const { rows } = await world.database.store.query<{ minor: string }>({
      text: `select minor from fee_spent where owner = 'user-1' and project_id = $1`,
      values: [projectId],
    });
    expect(BigInt(rows[0]!.minor)).toBeGreaterThan(0n);
  });

  it('of two workers at once are not both the one that may go beyond what is left of a budget', async () => {
    const owner = 'user-of-two';
    const [one, other] = [await aTransfer(10n, owner), await aTransfer(10n, owner)];
    let built = 0;
    // Each has claimed its own before it builds: whoever did not count the other's would build too.
    const network = withOther({
      async build(operation, about) {
        built++;
        await delay(500);
        return world.late.build(operation, about);
      },
    });
    const bounds = { projectDayMaxMinor: 10n ** 12n, ownerDayMaxMinor: 1n };
    const deps = world.deps({
      bounds,
      network,
      settings: { ...testConfig().aptos.relay, inFlightMax: 1 },
    });
    expect(await Promise.all([lateRound(deps), lateRound(deps)])).toEqual([1, 1]);
    expect(built).toBeLessThanOrEqual(1);
    const relay = await world.start({ bounds });
    const ends = await Promise.all([one, other].map(({ id }) => world.outcomeOf(id)));
    expect(ends.map(({ status }) => status).toSorted()).toEqual(['failed', 'success']);
    await relay.stop();
  });
});
