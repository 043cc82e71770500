import { type Address, getProgramDerivedAddress } from '@solana/kit';
import { z } from 'zod';
import { fromBase58 } from '../base.ts';
import { upgradeableLoader } from '../program-ids.ts';
import { invalidParams } from './errors.ts';
import type { Methods } from './methods.ts';
import { addressSchema, countSchema, readParam } from './params.ts';

/** Ten years. */
const advanceSecondsMax = 315_360_000;
const fileBytesMax = 10 * 1024 * 1024;
const base64Schema = z.base64().max(Math.ceil((fileBytesMax * 4) / 3));
const accountSchema = z.object({
  lamports: z.union([countSchema, z.string().regex(/^\d{1,20}$/)]),
  owner: addressSchema,
  data: base64Schema,
  executable: z.boolean().optional(),
});

/** What no cluster has: for whoever runs the emulator. */
export const controlMethods: Methods = {
  devnet_advanceTime(chain, params) {
    chain.advance(
      readParam(
        params,
        0,
        countSchema.max(advanceSecondsMax, `at most ${advanceSecondsMax} seconds at once`),
      ),
    );
    return Math.floor(chain.slots.nowMs() / 1000);
  },
  devnet_time: (chain) => Math.floor(chain.slots.nowMs() / 1000),
  devnet_save(chain) {
    chain.save();
    return null;
  },
  devnet_setAccount(chain, params) {
    const address = readParam(params, 0, addressSchema);
    const { lamports, owner, data, executable = false } = readParam(params, 1, accountSchema);
    try {
      chain.setAccount(address, {
        lamports: BigInt(lamports),
        owner,
        data: new Uint8Array(Buffer.from(data, 'base64')),
        executable,
      });
    } catch (error) {
      throw invalidParams(
        `this account cannot be: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
    return null;
  },
  async devnet_addProgram(chain, params) {
    const address = readParam(params, 0, addressSchema);
    const file = Buffer.from(readParam(params, 1, base64Schema), 'base64');
    const [dataAddress] = await getProgramDerivedAddress({
      programAddress: upgradeableLoader as Address,
      seeds: [fromBase58(address)],
    });
    try {
      chain.addProgram(address, new Uint8Array(file), dataAddress);
    } catch (error) {
      throw invalidParams(
        `this file is no program that may run: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
    return null;
  },
};
