import { fault } from '../host/fault.ts';
import type { AssetContract } from '../host/machine.ts';

export const assetContract: AssetContract = () => {
  throw fault('context', 'InternalError', 'asset');
};
