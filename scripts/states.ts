import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { agentCheckoutMachine } from '../src/areas/agent-checkouts/machine.ts';
import { depositMachine } from '../src/areas/deposits/index.ts';
import { eligibilityMachine } from '../src/areas/identity/machine.ts';
import { refundMachine } from '../src/areas/orders/legs/refund/machine.ts';
import {
  checkoutMachine,
  offrampMachine,
  onrampMachine,
} from '../src/areas/orders/state/machine.ts';
import { signatureMachine } from '../src/areas/signatures/machine.ts';
import { signerChangeMachine } from '../src/areas/signers/machine.ts';
import { transactionMachine } from '../src/areas/transactions/machine.ts';
import { treasuryTransferMachine } from '../src/areas/treasury/index.ts';
import { deliveryMachine, endpointMachine, replayMachine } from '../src/areas/webhooks/machine.ts';
import { type Machine, printMachine } from '../src/machine/machine.ts';
import { payoutMachine } from '../src/vault/payouts/machine.ts';

const machines: readonly Machine<string, string>[] = [
  transactionMachine,
  signatureMachine,
  signerChangeMachine,
  eligibilityMachine,
  payoutMachine,
  depositMachine,
  treasuryTransferMachine,
  agentCheckoutMachine,
  endpointMachine,
  deliveryMachine,
  replayMachine,
  offrampMachine,
  onrampMachine,
  checkoutMachine,
  refundMachine,
];

/** The pages of docs/states, one per machine. */
export function printedMachines(): { readonly name: string; readonly text: string }[] {
  return machines.map((machine) => ({
    name: machine.name,
    text: `# States of a ${machine.name}\n\nPrinted from its table by \`npm run docs\`; a test fails when this page is stale.\n\n\`\`\`mermaid\n${printMachine(machine)}\`\`\`\n`,
  }));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { name, text } of printedMachines())
    writeFileSync(new URL(`../docs/states/${name}.md`, import.meta.url), text);
}
