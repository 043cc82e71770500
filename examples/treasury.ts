// A treasury of three people, of whom any two decide. Each keeps a key; the service holds none of
// them. Needs a running service: `npm start`. Run: npx tsx examples/treasury.ts
import { externalWalletSigner, type PurserSigner } from '@purser/sdk';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { createDevelopmentClient, readDevelopmentService, say } from './development.ts';

const chain = 'base-sepolia';
const token = `${chain}:usdxm`;
const run = Date.now().toString(36);
const purser = createDevelopmentClient(readDevelopmentService());

const aPerson = () => externalWalletSigner(privateKeyToAccount(generatePrivateKey()));
const [ann, ben, cleo] = [aPerson(), aPerson(), aPerson()] as const;

say('Ann, Ben and Cleo create a treasury: two of three approve.');
const treasury = await purser.createWallet({
  chainType: 'evm',
  owner: 'COMPANY',
  alias: `treasury-${run}`,
  config: {
    recoveryMethods: [
      { type: 'quorum', threshold: 2, members: [ann.input, ben.input, cleo.input] },
    ],
  },
});
await purser.fundWallet(treasury.address, { amount: 50, token: 'usdxm', chain });
console.log(`   ${treasury.address}, with 50 test dollars`);

say('Somebody proposes to pay 20. Nothing moves yet.');
const supplier = privateKeyToAccount(generatePrivateKey()).address;
const proposed = await purser.createTransfer(treasury.address, token, {
  recipient: supplier,
  amount: '20',
});
console.log(`   ${proposed.id}: ${proposed.status}`);

say('Ann approves: one is missing.');
const byAnn = await approveAs(ann);
console.log(`   ${byAnn.status}`);

say('Cleo approves: that is enough, and the service sends it.');
await approveAs(cleo);
const paid = await purser.waitForTransaction(treasury.address, proposed.id);
console.log(`   ${paid.status} in ${paid.onChain.txId}`);

const [balance] = (
  await purser.getWalletBalances(treasury.address, { tokens: 'usdxm', chains: chain })
).tokens;
console.log(`\nDone. The treasury has ${Number(balance?.balance ?? 0) / 1e6} dollars left.`);

/**
 * What each person's own program does: read the transaction, look at what would be signed, sign it,
 * send the approval.
 */
async function approveAs(person: PurserSigner) {
  const transaction = await purser.getTransaction(treasury.address, proposed.id);
  return purser.approveTransaction(treasury.address, transaction, {
    signers: [person],
    // The client reads this out of what is hashed, so it holds whatever the service says about it.
    review(_, review) {
      const [call] = review.kind === 'operation' ? review.calls : [];
      if (
        call?.kind !== 'transfer' ||
        call.recipient !== supplier ||
        call.amountMinor !== '20000000'
      )
        throw new Error('This is not what was proposed.');
      console.log(`   ${call.amount} ${call.token.symbol} to ${call.recipient}`);
    },
  });
}
