import { type Address, getAddressEncoder } from '@solana/kit';
import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import { token2022Program } from '../../../devnet/solana/program-ids.ts';
import { sol, type World } from './world.ts';

/** Mints and token accounts, put where they are wanted. */

export const tokenPrograms: readonly (readonly [name: string, program: Address])[] = [
  ['Token', TOKEN_PROGRAM_ADDRESS],
  ['Token-2022', token2022Program as Address],
];
export const decimals = 6;
const encoder = getAddressEncoder();

export function writeToken(
  world: World,
  address: Address,
  program: string,
  data: Uint8Array,
): void {
  world.machine.write(address, { lamports: sol, owner: program, data, executable: false });
}

export function mintData(): Uint8Array {
  const data = new Uint8Array(82);
  data[44] = decimals;
  data[45] = 1;
  return data;
}

export function accountData(mint: Address, owner: Address, amount: bigint): Uint8Array {
  const data = new Uint8Array(165);
  data.set(encoder.encode(mint), 0);
  data.set(encoder.encode(owner), 32);
  new DataView(data.buffer).setBigUint64(64, amount, true);
  data[108] = 1;
  return data;
}

/** In the smallest unit, whatever program it is of. @throws Error when it is no token account */
export function tokensAt(world: World, address: Address): bigint {
  const data = world.machine.read(address)?.data;
  if (data === undefined || data.length < 165) throw new Error(`${address} is no token account.`);
  return new DataView(data.buffer, data.byteOffset).getBigUint64(64, true);
}
