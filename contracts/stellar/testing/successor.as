// What a wallet may be upgraded to: it says its version.

export * from './wallet';
import { ofU32 } from './host';

export function version(): u64 {
  return ofU32(2);
}
