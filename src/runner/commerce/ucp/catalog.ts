import { z } from 'zod';
import type { JsonObject } from '../../../lib/json/json.ts';
import type { CommerceAnswer } from '../exit.ts';
import type { PageProduct } from '../types.ts';

/**
 * Which item a page's product is, asked of the shop's catalogue (UCP “Catalog Lookup”): only its
 * own answer counts as exact.
 */

const option = z.looseObject({ name: z.string(), label: z.string() });
const variant = z.looseObject({
  id: z.string(),
  options: z.array(option).optional(),
  availability: z.looseObject({ available: z.boolean().optional() }).optional(),
});
const product = z.looseObject({
  id: z.string(),
  title: z.string(),
  url: z.string().optional(),
  options: z
    .array(
      z.looseObject({ name: z.string(), values: z.array(z.looseObject({ label: z.string() })) }),
    )
    .optional(),
  variants: z.array(variant).optional(),
});
const lookupAnswer = z.looseObject({ products: z.array(product) });
const productAnswer = z.looseObject({ product });
type CatalogProduct = z.infer<typeof product>;

export type AskCatalog = (
  path: '/catalog/lookup' | '/catalog/product',
  body: JsonObject,
) => Promise<CommerceAnswer>;

const idsMax = 10;

/**
 * @returns the variant's id; undefined when the catalogue does not know the page, or no variant has
 * all that was chosen
 */
export async function findInCatalog(
  ask: AskCatalog,
  page: PageProduct,
): Promise<string | undefined> {
  const found = lookupAnswer.safeParse(
    (await ask('/catalog/lookup', { ids: [...page.ids, page.url].slice(0, idsMax) })).body,
  );
  const match = found.success ? found.data.products.find((one) => isPage(one, page)) : undefined;
  if (match === undefined) return undefined;
  const known = variantOf(match, page);
  const selected = selectedOf(match, page);
  if (known !== undefined || selected === undefined) return known;
  const detail = productAnswer.safeParse(
    (await ask('/catalog/product', { id: match.id, selected })).body,
  );
  return detail.success && isPage(detail.data.product, page)
    ? variantOf(detail.data.product, page)
    : undefined;
}

const plain = (text: string) => text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();

/** Its address is the page's, or it says no address and has the page's whole title. */
function isPage({ url, title }: CatalogProduct, page: PageProduct): boolean {
  if (url === undefined || !URL.canParse(url)) return plain(title) === plain(page.title);
  const [own, asked] = [new URL(url), new URL(page.url)];
  const path = ({ pathname }: URL) => pathname.replace(/\/$/, '');
  return own.origin === asked.origin && path(own) === path(asked);
}

/** Exactly one variant that is to be had and names everything that was chosen. */
function variantOf(
  { variants = [] }: CatalogProduct,
  { choices }: PageProduct,
): string | undefined {
  const fitting = variants.filter(
    ({ options = [], availability }) =>
      availability?.available !== false &&
      choices.every((chosen) => options.some(({ label }) => plain(label) === plain(chosen))),
  );
  const isOpen = choices.length === 0 && variants.length > 1;
  return fitting.length === 1 && !isOpen ? fitting[0]!.id : undefined;
}

/**
 * What was chosen, by the names of the catalogue's options; undefined when one of them is not
 * there.
 */
function selectedOf(
  { options = [] }: CatalogProduct,
  { choices }: PageProduct,
): JsonObject[] | undefined {
  const rows = choices.map((chosen) =>
    options
      .map(({ name, values }) => ({
        name,
        label: values.find(({ label }) => plain(label) === plain(chosen))?.label,
      }))
      .find(({ label }) => label !== undefined),
  );
  return choices.length === 0 || rows.some((row) => row === undefined)
    ? undefined
    : rows.map((row) => ({ name: row!.name, label: row!.label! }));
}
