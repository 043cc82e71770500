import { describe, expect, it } from 'vitest';
import { totalScore } from '../money/totals.ts';
import type { PriceInfo } from '../page/snapshot.ts';
import { outcomeWords } from '../steps/outcome/outcome-words.ts';
import { wayIn } from '../steps/paying/paying.ts';
import { words } from './words.ts';

// What stands in the translations of the platforms, as their shops show it.
const said: readonly (readonly [platform: string, text: string, meaning: keyof typeof words])[] = [
  ['WooCommerce de', 'In den Warenkorb', 'addToCart'],
  ['OpenCart de', 'In den Einkaufswagen', 'addToCart'],
  ['PrestaShop it', 'Metti nel carrello', 'addToCart'],
  ['Magento nl', 'In winkelmand', 'addToCart'],
  ['PrestaShop fr', 'Valider la commande', 'checkout'],
  ['WooCommerce it', 'Concludi l’acquisto', 'checkout'],
  ['PrestaShop it', 'Procedi con l’ordine', 'checkout'],
  ['WooCommerce pt', 'Finalizar encomenda', 'checkout'],
  ['PrestaShop pt', 'Confirmar encomenda', 'place'],
  ['Magento pt', 'Efetuar encomenda', 'place'],
  ['Magento nl', 'Bestelling plaatsen', 'place'],
  ['WooCommerce it', 'Effettua ordine', 'place'],
  ['Magento nl', 'Opslaan en doorgaan', 'continue'],
  ['PrestaShop pt', 'Iniciar sessão', 'login'],
  ['OpenCart en', 'Returning Customer: log in', 'login'],
  ['PrestaShop pt', 'Registar', 'register'],
  ['PrestaShop fr', 'S’inscrire', 'register'],
  [
    'OpenCart en',
    'My delivery and billing addresses are the same, use same address',
    'sameAddress',
  ],
  ['Magento en', 'My billing and shipping address are the same', 'sameAddress'],
  [
    'WooCommerce it',
    'L’indirizzo di fatturazione coincide con quello di spedizione',
    'sameAddress',
  ],
  ['WooCommerce nl', 'Factuuradres is gelijk aan bezorgadres', 'sameAddress'],
  ['WooCommerce pt', 'A morada de faturação é igual à de entrega', 'sameAddress'],
  ['WooCommerce nl', 'elke maand bezorgd', 'recurring'],
  ['Shopware de', 'Im Abo 10 % sparen', 'recurring'],
  ['Shopware de', 'Versandschutz', 'extra'],
];

const aPrice = (label: string): PriceInfo => ({
  label,
  text: '12.00',
  row: '',
  hint: '',
  itemprop: '',
  region: 'main',
  heading: '',
  struck: false,
  inButton: false,
  x: 0,
  y: 0,
  size: 16,
});

describe('words of shops', () => {
  it.each(said)('%s: “%s” means %s', (_, text, meaning) => {
    expect(words[meaning].test(text)).toBe(true);
  });

  it.each([
    ['PrestaShop pt', 'Encomenda recebida'],
    ['WooCommerce it', 'Il tuo ordine è confermato'],
    ['WooCommerce nl', 'Bestelling ontvangen'],
  ])('%s: “%s” confirms an order', (_, text) => {
    expect(outcomeWords.thanks.test(text)).toBe(true);
  });

  it.each([
    ['Odoo', 'Pay on delivery', 'cash on delivery'],
    ['WooCommerce fr', 'Paiement à la livraison', 'cash on delivery'],
    ['WooCommerce nl', 'Betalen bij aflevering', 'cash on delivery'],
    ['WooCommerce pt', 'Pagamento na entrega', 'cash on delivery'],
    ['Magento pt', 'Transferência bancária', 'bank transfer'],
  ])('%s: “%s” is %s', (_, text, way) => {
    expect(wayIn(text)).toBe(way);
  });

  it.each([
    ['OpenCart en', 'Payment Due', true],
    ['Magento nl', 'Totaalbedrag', true],
    ['Magento nl', 'Subtotaal', false],
    ['PrestaShop pt', 'Valor total', true],
    ['PrestaShop it', 'Totale spedizione', false],
  ])('%s: whether “%s” is what is to be paid: %s', (_, label, isTotal) => {
    expect(totalScore(aPrice(label)) > 0).toBe(isTotal);
  });
});
