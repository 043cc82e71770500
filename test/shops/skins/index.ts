import { magentoLuma } from './magento-luma.ts';
import { nopCommerce } from './nopcommerce.ts';
import { odoo } from './odoo.ts';
import { shopifyDawn } from './shopify-dawn.ts';
import { shopwareSix } from './shopware-six.ts';
import type { Skin } from './store.ts';
import { wooCommerceBlocks } from './woocommerce-blocks.ts';

export const skins: readonly Skin[] = [
  wooCommerceBlocks,
  magentoLuma,
  shopifyDawn,
  shopwareSix,
  odoo,
  nopCommerce,
];
