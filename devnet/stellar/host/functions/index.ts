import { addressFunctions } from './address.ts';
import { bufferFunctions } from './buffers.ts';
import { callFunctions } from './calls.ts';
import { contextFunctions } from './context.ts';
import { cryptoFunctions } from './crypto.ts';
import type { HostFunction } from './define.ts';
import { ledgerFunctions } from './ledger.ts';
import { mapFunctions } from './maps.ts';
import { numberFunctions } from './numbers.ts';
import { randomFunctions } from './random.ts';
import { vectorFunctions } from './vectors.ts';

/**
 * By the names that contracts import, `module.function`. What is not here fails by name when a
 * contract calls it.
 */
export const hostFunctions: ReadonlyMap<string, HostFunction> = new Map([
  ...contextFunctions,
  ...numberFunctions,
  ...mapFunctions,
  ...vectorFunctions,
  ...ledgerFunctions,
  ...callFunctions,
  ...bufferFunctions,
  ...cryptoFunctions,
  ...addressFunctions,
  ...randomFunctions,
]);
