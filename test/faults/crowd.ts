import type { Hex } from 'viem';
import { reorganise } from '../../devnet/index.ts';
import type { Gate } from './gate.ts';
import type { Horizon } from './horizon.ts';
import { createTraffic } from './traffic.ts';
import type { FaultWorld } from './world.ts';

/**
 * Whoever sends on the chain and is no part of the service. What a reorganisation takes of theirs
 * is sent again, or never.
 */
export interface Crowd {
  /** Sends from any address as if its key were at hand. @returns the hash, once a block has it */
  send(from: string, call: CrowdCall, deposit?: CrowdDeposit): Promise<Hex>;
  /** Deposits that a block has, and that a reorganisation would take for good, or not. */
  deposits(how: { readonly isGivenUp: boolean }): Hex[];
  /**
   * Replaces all blocks from a height on.
   * @returns false when that one is final already, or too deep, and nothing was done
   */
  reorganiseFrom(height: number): Promise<boolean>;
  /** Work that makes blocks, while nothing is reorganised. */
  makeBlocks<T>(work: () => Promise<T>): Promise<T>;
}

export interface CrowdCall {
  readonly to: string;
  readonly data: Hex;
}

export interface CrowdDeposit {
  /** Whoever sent it does not send it again. */
  readonly isGivenUp: boolean;
  onGone(): void;
}

interface Sent {
  readonly from: string;
  readonly call: CrowdCall;
  readonly deposit: CrowdDeposit | undefined;
  hash: Hex;
  height: number;
}

const patienceMs = 20_000;
const nonceTriesMax = 20;
/** Well within the states that a local chain keeps. */
const depthMax = 100;
const reorganiseTriesMax = 20;
const balance = '0xde0b6b3a7640000';

export function createCrowd(
  chain: Pick<FaultWorld, 'rpc'> & {
    readonly nodeUrl: string;
    readonly horizon: Horizon;
    /** Through which the service asks the node. */
    readonly gate: Gate;
  },
): Crowd {
  const { rpc, horizon } = chain;
  /** In the order of their sending, as far as they may still be taken. */
  let sent: Sent[] = [];
  /** What is sent beside a reorganisation would be taken for lost, and sent twice. */
  const traffic = createTraffic();
  const turns = new Map<string, Promise<unknown>>();

  /**
   * One after the other from one address: the node chooses the nonce, and two at once might get the
   * same one.
   */
  function sendInTurn(from: string, call: CrowdCall): Promise<Hex> {
    const hash = (turns.get(from) ?? Promise.resolve()).then(() => sendOnce(from, call));
    turns.set(
      from,
      hash.catch(() => undefined),
    );
    return hash;
  }

  async function sendOnce(from: string, call: CrowdCall): Promise<Hex> {
    for (let tries = 1; ; tries++) {
      try {
        return await rpc<Hex>('eth_sendTransaction', [{ from, ...call, gas: '0x493e0' }]);
      } catch (error) {
        // A block took the one before it while the node chose the nonce.
        if (tries === nonceTriesMax || !/nonce too low/.test(String(error))) throw error;
      }
    }
  }

  async function put(
    from: string,
    call: CrowdCall,
  ): Promise<{ readonly hash: Hex; readonly height: number }> {
    await rpc('anvil_impersonateAccount', [from]);
    // A reorganisation takes this, too.
    await rpc('anvil_setBalance', [from, balance]);
    const hash = await sendInTurn(from, call);
    for (
      const endAt = Date.now() + patienceMs;
      Date.now() < endAt;
      await new Promise((resolve) => setTimeout(resolve, 25))
    ) {
      const receipt = await rpc<{ status: Hex; blockNumber: Hex } | null>(
        'eth_getTransactionReceipt',
        [hash],
      );
      if (receipt && receipt.status !== '0x1')
        throw new Error(
          `${from} sent ${call.data} to ${call.to}, and that failed in block ${Number(receipt.blockNumber)} (${hash})`,
        );
      if (receipt) return { hash, height: Number(receipt.blockNumber) };
    }
    throw new Error(`the transaction ${hash} is in no block`);
  }

  async function send(
    from: string,
    call: CrowdCall,
    deposit: CrowdDeposit | undefined,
  ): Promise<Hex> {
    return traffic.pass(async () => {
      const made = await put(from, call);
      sent = sent.filter(({ height }) => height > horizon.height());
      sent.push({ from, call, deposit, ...made });
      return made.hash;
    });
  }

  const readHead = async () => Number(await rpc<Hex>('eth_blockNumber', []));

  /**
   * The node is told how deep, not from where: what it was sent before may have made a block since
   * the head was read, which leaves the lowest one in its place.
   */
  async function replaceBlocks(fromHeight: number): Promise<void> {
    for (let tries = 0; tries < reorganiseTriesMax; tries++) {
      const head = await readHead();
      await reorganise(chain.nodeUrl, head - fromHeight + 1);
      if ((await readHead()) === head) return;
    }
    throw new Error('the chain does not rest for as long as a reorganisation takes');
  }

  async function replaceFrom(fromHeight: number): Promise<boolean> {
    const head = await readHead();
    if (fromHeight > head || head - fromHeight >= depthMax) return false;
    await chain.gate.pauseWhile(() => replaceBlocks(fromHeight));
    const taken = sent
      .filter(({ height }) => height >= fromHeight)
      .toSorted((a, b) => a.height - b.height);
    sent = sent.filter(({ height }) => height < fromHeight);
    for (const one of taken)
      if (one.deposit?.isGivenUp) one.deposit.onGone();
      else sent.push({ ...one, ...(await put(one.from, one.call)) });
    return true;
  }

  return {
    send: (from, call, deposit) => send(from, call, deposit),
    deposits: ({ isGivenUp }) =>
      sent.flatMap(({ deposit, hash }) => (deposit?.isGivenUp === isGivenUp ? [hash] : [])),
    reorganiseFrom: (fromHeight) =>
      horizon.replace(fromHeight, () => traffic.stopFor(() => replaceFrom(fromHeight))),
    makeBlocks: (work) => traffic.pass(work),
  };
}
