// An agent with a daily spending limit. A company's wallet lets an agent's key pay one supplier, 10
// dollars a day, for a week. The limit is enforced by the wallet's contract: a stolen agent key, or
// a stolen service, cannot spend more. Needs a running service: `npm start`. Run: npx tsx
// examples/agent-spending-limit.ts
import { randomBytes } from 'node:crypto';
import { BadRequestError, serverSigner } from '@purser/sdk';
import { createDevelopmentClient, readDevelopmentService, say } from './development.ts';

const chain = 'base-sepolia';
const token = `${chain}:usdxm`;
const daySeconds = 24 * 60 * 60;

const service = readDevelopmentService();
const purser = createDevelopmentClient(service);
const run = Date.now().toString(36);

say('The company has a wallet with 100 test dollars; a supplier has one, too.');
const company = await purser.createWallet({
  chainType: 'evm',
  owner: 'COMPANY',
  alias: `company-${run}`,
  config: { adminSigner: { type: 'api-key' } },
});
const supplier = await purser.createWallet({
  chainType: 'evm',
  owner: 'COMPANY',
  alias: `supplier-${run}`,
  config: { adminSigner: { type: 'api-key' } },
});
await purser.fundWallet(company.address, { amount: 100, token: 'usdxm', chain });
console.log(`   company ${company.address}\n   supplier ${supplier.address}`);

say('The agent makes a key of its own. Its secret never leaves this process.');
const agent = await serverSigner({
  secret: randomBytes(32).toString('hex'),
  projectId: service.projectId,
  environment: 'development',
  chain,
});
console.log(`   ${agent.locator}`);

say('The company allows it: to the supplier only, at most 10 a day, for a week.');
const registered = await purser.addSigner(company.address, {
  signer: agent.locator,
  chain,
  expiresAt: new Date(Date.now() + 7 * daySeconds * 1000).toISOString(),
  scopes: [
    {
      type: 'transfer',
      tokenLocator: token,
      recipients: [supplier.address],
      spendingLimit: { amount: '10', interval: daySeconds },
    },
  ],
});
console.log(`   ${JSON.stringify(registered.chains)}`);

say('The agent pays 4, then 5: it signs, the service sends and pays the gas.');
for (const amount of ['4', '5']) {
  const paid = await purser.transfer(
    company.address,
    token,
    { recipient: supplier.address, amount, signer: agent.locator },
    { signers: [agent] },
  );
  console.log(`   ${amount} paid in ${paid.onChain.txId}`);
}

say('What is not allowed is refused.');
await refused('2 more: over the limit of the day', {
  recipient: supplier.address,
  amount: '2',
  signer: agent.locator,
});
await refused('1 to somebody else', {
  recipient: company.address,
  amount: '1',
  signer: agent.locator,
});

say('The company takes the permission back; the agent cannot pay any more.');
await purser.removeSigner(company.address, agent.locator, { chain });
await refused('0.5 after the removal', {
  recipient: supplier.address,
  amount: '0.5',
  signer: agent.locator,
});

const [balance] = (
  await purser.getWalletBalances(supplier.address, { tokens: 'usdxm', chains: chain })
).tokens;
console.log(`\nDone. The supplier has ${Number(balance?.balance ?? 0) / 1e6} dollars.`);

async function refused(
  what: string,
  body: { recipient: string; amount: string; signer: string },
): Promise<void> {
  try {
    await purser.transfer(company.address, token, body, { signers: [agent] });
  } catch (error) {
    if (!(error instanceof BadRequestError)) throw error;
    console.log(`   ${what}: ${error.code}. ${error.message}`);
    return;
  }
  throw new Error(`${what} was not refused`);
}
