import { bestButton } from '../act.ts';
import { bounded } from '../page/bounded.ts';
import { isUsersOwn, type Run, readPage } from '../run.ts';
import { cartLines, countOf, isCartPage } from './lines.ts';
import { canTakeOut, takeOutLine } from './take-out.ts';

const leaveMs = 12_000;
const openMs = 6_000;

/**
 * A run that ends without an order takes its own line out of a cart that outlives it: that of the
 * user's account or profile. What was the user's before, or is not exactly as much as this run has
 * put in, stays; so does what nobody can count, and what the shop may have refused to add to the
 * user's. Behind the permit nothing is touched. Never throws.
 */
export async function leaveCart(run: Run): Promise<void> {
  const { armed, hasAdded, mayBeUsers, asked } = run.state;
  const hadOwn = [...asked.keys()].some((key) => key.startsWith('cart/reduce/'));
  if (!isUsersOwn(run) || armed || hadOwn || mayBeUsers || !hasAdded || run.page.isClosed()) return;
  // The run's own time may be over: what it leaves behind has a little of its own.
  const later: Run = { ...run, signal: AbortSignal.timeout(leaveMs) };
  await bounded(takeOut(later), leaveMs).catch(() => undefined);
}

async function takeOut(run: Run): Promise<void> {
  const here = await readPage(run);
  const address = run.state.cartUrl ?? bestButton(run, here, 'cart')?.href ?? '';
  if (!isCartPage(run, here)) {
    if (!/^https?:/.test(address)) return;
    await run.page.goto(address, { waitUntil: 'domcontentloaded', timeout: openMs });
  }
  const cart = await readPage(run);
  const [line, ...more] = isCartPage(run, cart)
    ? cartLines(run, cart).filter(({ isOurs }) => isOurs)
    : [];
  if (line === undefined || more.length > 0 || countOf(line) !== run.state.quantity) return;
  const left = canTakeOut(line) ? await takeOutLine(run, cart, line) : cart;
  if (cartLines(run, left).some((one) => one.isOurs && countOf(one) !== 0)) return;
  run.log.info({ product: run.state.productTitle }, 'The product was taken out of the cart again.');
  await run.ports.progress({ title: 'Took the product out of the cart again' });
}
