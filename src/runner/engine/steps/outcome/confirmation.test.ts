import { describe, expect, it } from 'vitest';
import { findOrderNumber } from './confirmation.ts';

describe('the number of an order', () => {
  it.each([
    ['Your order number is ORD-1001.', 'ORD-1001'],
    ['Order no. TS-88', 'TS-88'],
    ['Order #4711 confirmed', '4711'],
    ['Bestellnummer: B-2024-77', 'B-2024-77'],
    ['Numéro de commande : 100200', '100200'],
    ['Commande n° 100200', '100200'],
    ['Pedido número 55-A', '55-A'],
    ['Pedido recebido: nº PD-2041', 'PD-2041'],
    ['Commande reçue : n° 100201', '100201'],
    ['Order confirmed: #4712', '4712'],
    ['Pedido recebido em 22/11/2026', undefined],
    ['Your order PC/10241 is confirmed.', 'PC/10241'],
    ['Thank you for your order', undefined],
    ['Order #7 confirmed', '7'],
    ['Your order number is 12.', '12'],
    ['Bestellnummer: 3', '3'],
    ['Commande n° 5', '5'],
    ['Your order 7 is being prepared.', '7'],
    ['Ihre Bestellung 10042 wird bearbeitet.', '10042'],
    ['Referencia del pedido: 9', '9'],
    ['Numero ordine: 12', '12'],
    ['Número da encomenda: 4', '4'],
    ['Bestelnummer: 8', '8'],
    ['Order: 2 items', undefined],
    ['Your order 2 items', undefined],
    ['Order total: 12 USD', undefined],
    ['Order no more than 5', undefined],
    ['Your order #4711 of 2 items', '4711'],
    ['Order #12.50', undefined],
    ['Order date: 2026-11-22', undefined],
    ['Numero ordine: 6 Kestrel × 1 97,95 € Totale ordine 102,90 €', '6'],
    ['Totale ordine 102,90 €', undefined],
  ])('of “%s” is %s', (text, number) => {
    expect(findOrderNumber(String(text))).toBe(number);
  });
});
