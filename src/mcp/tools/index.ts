import type { Tool } from '../tool.ts';
import { checkoutTools } from './checkouts.ts';
import { orderTools } from './orders.ts';
import { signatureTools } from './signatures.ts';
import { transferTools } from './transfers.ts';
import { walletTools } from './wallets.ts';

/** Everything that an agent can do, over both transports. */
export const tools: readonly Tool[] = [
  ...walletTools,
  ...transferTools,
  ...signatureTools,
  ...orderTools,
  ...checkoutTools,
];
