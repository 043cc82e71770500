import bs58 from 'bs58';
import { tokenProgram } from './program-ids.ts';

const mintBytes = 82;
/** What an account of this size must hold to stay. */
const mintLamports = 1_461_600n;

/** A mint of the token program with nothing minted yet; nobody can freeze. */
export function mintAccount({
  authority,
  decimals,
}: {
  readonly authority: string;
  readonly decimals: number;
}) {
  const data = new Uint8Array(mintBytes);
  data[0] = 1;
  data.set(bs58.decode(authority), 4);
  data[44] = decimals;
  data[45] = 1;
  return { lamports: mintLamports, owner: tokenProgram, data };
}
