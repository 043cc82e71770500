import { type Hex, wordOf, wordOfAddress } from '../abi/words.ts';
import type { EvmConnection } from './connections.ts';
import type { RpcResult } from './rpc.ts';

/** A view function that answers one word, e.g. a balance. */
export interface WordRead {
  readonly to: string;
  /** Calldata: a selector and at most two words. */
  readonly data: Hex;
}

/**
 * Reads many words of many contracts with one `eth_call` that runs init code, so that nothing need
 * be deployed on the chain. Each read has a gas cap and copies one word: a hostile contract spoils
 * its own answer only. Nodes that run no init code are asked read by read. Undefined where a
 * contract is missing, reverts or answers less than a word.
 * @param block as nodes name it: `latest`, or a height in hexadecimal
 * @throws upstream-error, provider-unavailable
 */
export async function readWords(
  connection: EvmConnection,
  reads: readonly WordRead[],
  block = 'latest',
): Promise<(bigint | undefined)[]> {
  const chunks: (readonly WordRead[])[] = [];
  for (let at = 0; at < reads.length; at += readsPerCallMax)
    chunks.push(reads.slice(at, at + readsPerCallMax));
  return (await Promise.all(chunks.map((chunk) => readChunk(connection, chunk, block)))).flat();
}

const readsPerCallMax = 100;
/** From here on one call for all is cheaper than one for each. */
const bulkFrom = 3;

async function readChunk(
  connection: EvmConnection,
  reads: readonly WordRead[],
  block: string,
): Promise<(bigint | undefined)[]> {
  if (reads.length >= bulkFrom) {
    const [result] = await connection.ask([
      {
        method: 'eth_call',
        params: [{ data: `${readerCode}${reads.map(encodeRead).join('')}` }, block],
      },
    ]);
    const words = decodeBulk(result!, reads.length);
    if (words) return words;
  }
  const results = await connection.ask(
    reads.map(({ to, data }) => ({
      method: 'eth_call',
      params: [{ to, data, gas: `0x${readGasMax.toString(16)}` }, block],
    })),
  );
  return results.map((result) =>
    result.ok && typeof result.value === 'string' && wordPattern.test(result.value)
      ? BigInt(result.value.slice(0, 66))
      : undefined,
  );
}

const wordPattern = /^0x[0-9a-f]{64}/i;

function decodeBulk(result: RpcResult, count: number): (bigint | undefined)[] | undefined {
  if (!result.ok || typeof result.value !== 'string' || result.value.length !== 2 + count * 128)
    return undefined;
  const words = result.value.slice(2);
  return Array.from({ length: count }, (_, index) => {
    const at = index * 128;
    return words[at + 63] === '1' ? BigInt(`0x${words.slice(at + 64, at + 128)}`) : undefined;
  });
}

/** Target, length of the calldata, calldata in three words. */
const entryBytes = 160;

function encodeRead({ to, data }: WordRead): string {
  return wordOfAddress(to) + wordOf((data.length - 2) / 2) + data.slice(2).padEnd(192, '0');
}

const readGasMax = 300_000;

/**
 * Init code that makes the reads appended to it and returns two words for each: 1 if it answered,
 * and what it answered. The comments show the stack, its top at the right.
 */
const readerCode: Hex = assembleReader();

function assembleReader(): Hex {
  const byte = (value: number) => value.toString(16).padStart(2, '0');
  const gas = readGasMax.toString(16).padStart(6, '0');
  const head = [
    '60',
    'codeLength',
    '80',
    '38',
    '03', // codeLength end
    '80',
    '91',
    '60',
    '00',
    '39', // end                      memory[0, end) = entries
    '80',
    '60',
    '00', // end out entry
  ];
  const loop = [
    '5b',
    '82',
    '81',
    '10',
    '15',
    '60',
    'done',
    '57', // while entry < end
    '60',
    '20',
    '82',
    '60',
    '20',
    '01', // … 32 out+32         where the answer goes
    '82',
    '60',
    '20',
    '01',
    '51', // … length
    '83',
    '60',
    '40',
    '01', // … calldata
    '84',
    '51',
    '62',
    gas,
    'fa', // end out entry success      STATICCALL
    '60',
    '1f',
    '3d',
    '11',
    '16', // end out entry answered    a whole word came back
    '82',
    '52', // end out entry                               memory[out] = answered
    '60',
    byte(entryBytes),
    '01',
    '90',
    '60',
    '40',
    '01',
    '90', // end out+64 entry+160
    '60',
    'loop',
    '56',
  ];
  const tail = ['5b', '50', '81', '90', '03', '90', 'f3']; // return memory[end, out)
  const lengthOf = (part: readonly string[]) =>
    part.reduce((sum, piece) => sum + (piece === gas ? 3 : 1), 0);
  const labels: Readonly<Record<string, number>> = {
    loop: lengthOf(head),
    done: lengthOf(head) + lengthOf(loop),
    codeLength: lengthOf(head) + lengthOf(loop) + lengthOf(tail),
  };
  return `0x${[...head, ...loop, ...tail].map((piece) => (piece in labels ? byte(labels[piece]!) : piece)).join('')}`;
}
