import type { PageProduct } from '../../commerce/types.ts';
import { bounded } from '../page/bounded.ts';
import type { Snapshot } from '../page/snapshot.ts';
import type { Run } from '../run.ts';

const readTimeoutMs = 2_000;
const idsMax = 6;
const idLengthMax = 100;

// Only reads, and gives back text. The surest first: the chosen variant, then what the page tells
// machines, then its form.
const script = `(() => {
  const ids = [];
  const add = (value) => { if (typeof value === 'string' || typeof value === 'number') ids.push(String(value).trim()); };
  const visit = (node, depth) => {
    if (depth > 4 || node === null || typeof node !== 'object') return;
    if (Array.isArray(node)) { node.slice(0, 20).forEach((one) => visit(one, depth + 1)); return; }
    const type = [].concat(node['@type'] || []);
    if (type.includes('Product') || type.includes('ProductGroup')) { add(node.sku); add(node.productID); add(node.identifier); }
    visit(node['@graph'], depth + 1); visit(node.mainEntity, depth + 1);
  };
  add(new URL(location.href).searchParams.get('variant') || undefined);
  const named = (names) => names.forEach((name) => { const one = document.querySelector('main form [name="' + name + '"],form [name="' + name + '"]'); if (one && one.value) add(one.value); });
  named(['variant_id', 'variation_id', 'id']);
  document.querySelectorAll('script[type="application/ld+json"]').forEach((one) => { try { visit(JSON.parse((one.textContent || '').slice(0, 200000)), 0); } catch {} });
  document.querySelectorAll('meta[property="product:retailer_item_id"]').forEach((one) => add(one.content));
  document.querySelectorAll('[itemprop=sku],[itemprop=productID]').forEach((one) => add(one.getAttribute('content') || one.textContent || ''));
  named(['sku', 'product_id', 'product', 'add-to-cart']);
  return ids.slice(0, 40);
})()`;

/**
 * The product of the page as its shop numbers it. The numbers are guesses until the shop's own
 * checkout has proved one.
 */
export async function pageProduct(run: Run, snapshot: Snapshot): Promise<PageProduct> {
  const raw = await bounded(snapshot.frame.evaluate(script), readTimeoutMs).catch(() => []);
  const ids = (Array.isArray(raw) ? raw : []).filter(
    (one): one is string => typeof one === 'string' && one !== '' && one.length <= idLengthMax,
  );
  return {
    url: run.state.productUrl,
    title: run.state.productTitle,
    ids: [...new Set(ids)].slice(0, idsMax),
    choices: run.state.choices.map(({ chosen }) => chosen),
  };
}
