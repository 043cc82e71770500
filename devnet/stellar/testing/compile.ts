import asc from 'assemblyscript/asc';

/** What every contract of a test imports and makes values with. */
const prelude = `
@external("l", "_") declare function put(k: u64, v: u64, t: u64): u64;
@external("l", "0") declare function has(k: u64, t: u64): u64;
@external("l", "1") declare function get(k: u64, t: u64): u64;
@external("l", "6") declare function upgradeTo(hash: u64): u64;
@external("l", "7") declare function extend(k: u64, t: u64, threshold: u64, to: u64): u64;
@external("d", "_") declare function call(contract: u64, fn: u64, args: u64): u64;
@external("d", "0") declare function tryCall(contract: u64, fn: u64, args: u64): u64;
@external("a", "0") declare function requireAuth(address: u64): u64;
@external("c", "0") declare function ed25519(key: u64, message: u64, signature: u64): u64;
@external("v", "_") declare function vec(): u64;
@external("v", "6") declare function push(v: u64, x: u64): u64;
@external("v", "1") declare function at(v: u64, i: u64): u64;
@external("x", "1") declare function emit(topics: u64, data: u64): u64;
@external("x", "3") declare function ledger(): u64;
@external("x", "5") declare function fail(error: u64): u64;
@inline function U32(n: u32): u64 { return (u64(n) << 32) | 4; }
@inline function N(v: u64): u32 { return u32(v >> 32); }
@inline function ERR(n: u32): u64 { return (u64(n) << 32) | 3; }
const TEMPORARY: u64 = 0, PERSISTENT: u64 = 1, INSTANCE: u64 = 2, VOID: u64 = 2;
`;

const options = [
  '-Oz',
  '--runtime',
  'stub',
  '--noAssert',
  '--disable',
  'bulk-memory,sign-extension,nontrapping-f2i,mutable-globals',
];

/**
 * A contract from its functions in AssemblyScript; `SYMBOL_name` is a symbol of at most nine
 * letters.
 */
export async function compileContract(source: string, protocol = 22): Promise<Uint8Array> {
  const text = `${prelude}${source}`.replace(/SYMBOL_(\w+)/g, (_, name: string) =>
    symbolBits(name),
  );
  let wasm: Uint8Array | undefined;
  const { error, stderr } = await asc.main(
    ['contract.ts', ...options, '--outFile', 'contract.wasm'],
    {
      readFile: (name) => (name === 'contract.ts' ? text : null),
      writeFile: (name, contents) => {
        if (name === 'contract.wasm' && typeof contents !== 'string') wasm = contents;
      },
      listFiles: () => [],
    },
  );
  if (error || !wasm) throw new Error(`The contract does not compile: ${stderr.toString()}`);
  return withProtocol(wasm, protocol);
}

function symbolBits(name: string): string {
  const letters = '_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  const body = [...name].reduce(
    (bits, letter) => (bits << 6n) | BigInt(letters.indexOf(letter) + 1),
    0n,
  );
  return `(${(body << 8n) | 14n} as u64)`;
}

/** The section that says which version of the network's interface it is for. */
export function withProtocol(wasm: Uint8Array, protocol: number): Uint8Array {
  const name = Buffer.from('contractenvmetav0');
  const meta = Buffer.alloc(12);
  meta.writeUInt32BE(protocol, 4);
  const body = Buffer.concat([Uint8Array.of(name.length), name, meta]);
  return Uint8Array.from(Buffer.concat([wasm, Uint8Array.of(0, body.length), body]));
}
