import { describe, expect, it } from 'vitest';
import { countIn } from '../fields/count.ts';
import { quantityInText } from '../steps/product/quantity.ts';
import { words } from './words.ts';

type Meaning = keyof typeof words;

/** What the translations of shop software say in one language. */
interface Said {
  readonly platform: string;
  readonly language: string;
  readonly captions: Readonly<Partial<Record<Meaning, readonly string[]>>>;
}

// Dawn is the theme that shops of Shopify begin with.
const said: readonly Said[] = [
  {
    platform: 'Dawn',
    language: 'sv',
    captions: {
      addToCart: ['Lägg i varukorgen'],
      cart: ['Visa varukorg (2)', 'Din varukorg'],
      checkout: ['Gå till kassan'],
      continue: ['Fortsätt'],
      emptyCart: ['Din varukorg är tom'],
      guest: ['Fortsätt som gäst'],
      remove: ['Ta bort Blue Mug', 'Radera'],
      update: ['Uppdatera'],
    },
  },
  {
    platform: 'Oscar',
    language: 'sv',
    captions: {
      addToCart: ['Lägg i varukorg'],
      checkout: ['Fortsätt till kassan'],
      moveToCart: ['Flytta till varukorg'],
      place: ['Skicka order'],
    },
  },
  {
    platform: 'Dawn',
    language: 'da',
    captions: {
      addToCart: ['Læg i indkøbskurv'],
      cart: ['Se indkøbskurv (2)'],
      checkout: ['Gå til betaling'],
      continue: ['Fortsæt'],
      emptyCart: ['Din indkøbskurv er tom'],
      guest: ['Fortsæt som gæst'],
      remove: ['Fjern Blue Mug'],
      update: ['Opdater'],
    },
  },
  {
    platform: 'Oscar',
    language: 'da',
    captions: {
      addToCart: ['Læg i kurv'],
      cart: ['Kurv'],
      checkout: ['Gå til kassen nu', 'Fortsæt til kassen'],
      moveToCart: ['Flyt til kurv'],
      place: ['Send ordre'],
      remove: ['Slet'],
    },
  },
  {
    platform: 'Dawn',
    language: 'no',
    captions: {
      addToCart: ['Legg i handlekurv'],
      cart: ['Vis handlekurv (2)', 'Handlekurven din'],
      checkout: ['Kasse'],
      continue: ['Fortsett'],
      emptyCart: ['Handlekurven din er tom'],
      guest: ['Fortsett som gjest'],
      remove: ['Fjern Blue Mug'],
      update: ['Oppdater'],
    },
  },
  {
    platform: 'Dawn',
    language: 'fi',
    captions: {
      addToCart: ['Lisää ostoskoriin'],
      cart: ['Näytä ostoskori (2)', 'Ostoskorisi'],
      checkout: ['Kassa'],
      continue: ['Jatka'],
      emptyCart: ['Ostoskorisi on tyhjä'],
      guest: ['Jatka vieraana'],
      remove: ['Poista Blue Mug'],
      update: ['Päivitä'],
    },
  },
  {
    platform: 'Oscar',
    language: 'fi',
    captions: {
      addToCart: ['Lisää koriin'],
      cart: ['Tarkastele koria'],
      checkout: ['Kassalle', 'Jatka maksamaan'],
      emptyCart: ['Korisi on tyhjä'],
      moveToCart: ['Siirrä koriin'],
      place: ['Tee tilaus'],
    },
  },
  {
    platform: 'Dawn',
    language: 'pl',
    captions: {
      addToCart: ['Dodaj do koszyka'],
      cart: ['Pokaż koszyk (2)', 'Twój koszyk'],
      checkout: ['Realizuj zakup'],
      continue: ['Kontynuuj'],
      emptyCart: ['Twój koszyk jest pusty'],
      guest: ['Kontynuuj jako gość'],
      remove: ['Usuń Blue Mug'],
      update: ['Aktualizuj'],
    },
  },
  {
    platform: 'Oscar',
    language: 'pl',
    captions: {
      checkout: ['Realizuj zamówienie'],
      continue: ['Dalej'],
      moveToCart: ['Przenieś do koszyka'],
      place: ['Zamawiam'],
    },
  },
  {
    platform: 'Dawn',
    language: 'cs',
    captions: {
      addToCart: ['Přidat do košíku'],
      cart: ['Zobrazit košík (2)', 'Váš košík'],
      checkout: ['Pokladna'],
      continue: ['Pokračovat'],
      emptyCart: ['Košík je prázdný'],
      guest: ['Pokračovat jako host'],
      remove: ['Odebrat: Blue Mug'],
      update: ['Aktualizovat'],
    },
  },
  {
    platform: 'Oscar',
    language: 'cs',
    captions: { addToCart: ['Vložit do košíku'] },
  },
  {
    platform: 'Dawn',
    language: 'sk',
    captions: {
      addToCart: ['Pridať do košíka'],
      cart: ['Zobraziť košík (2)'],
      continue: ['Pokračovať'],
      emptyCart: ['Váš košík je prázdny'],
      guest: ['Pokračovať ako hosť'],
      remove: ['Odstrániť Blue Mug'],
      update: ['Aktualizovať'],
    },
  },
  {
    platform: 'Oscar',
    language: 'sk',
    captions: {
      checkout: ['Do pokladne', 'Pokračovať k pokladni'],
      moveToCart: ['Presunúť do košíka'],
      place: ['Objednať'],
      remove: ['Vymazať'],
    },
  },
];

const rows = said.flatMap(({ platform, language, captions }) =>
  Object.entries(captions).flatMap(([meaning, texts]) =>
    texts.map((text) => [`${platform} ${language}`, text, meaning as Meaning] as const),
  ),
);

describe('words of one language', () => {
  it.each(rows)('%s: “%s” means %s', (_, text, meaning) => {
    expect(words[meaning].test(text)).toBe(true);
  });

  it.each<readonly [text: string, meaning: Meaning]>([
    ['Zur Wunschliste hinzufügen', 'addToCart'],
    ['Geschenkverpackung hinzufügen', 'addToCart'],
    ['Ajouter un emballage cadeau', 'addToCart'],
    ['Ajouter à mes favoris', 'addToCart'],
    ['Añadir a la lista de deseos', 'addToCart'],
    ['Add item to wishlist', 'addToCart'],
    ['Lägg till i önskelista', 'addToCart'],
    ['Føj til ønskeliste', 'addToCart'],
    ['Lisää toivelistaan', 'addToCart'],
    ['Dodaj do listy życzeń', 'addToCart'],
    ['Pridať do zoznamu', 'addToCart'],
    ['Przejdź do koszyka', 'addToCart'],
    ['Zpět do košíku', 'addToCart'],
    ['Prejsť do košíka', 'addToCart'],
    ['Fortsätt handla', 'continue'],
    ['Fortsæt med at handle', 'continue'],
    ['Fortsett å handle', 'continue'],
    ['Jatka ostoksia', 'continue'],
    ['Kontynuuj zakupy', 'continue'],
    ['Pokračovat v nákupu', 'continue'],
    ['Pokračovať v nákupe', 'continue'],
  ])('“%s” does not mean %s', (text, meaning) => {
    expect(words[meaning].test(text)).toBe(false);
  });

  it.each(['Hinzufügen', 'Ajouter', 'Añadir', 'Add item', 'Zum Korb hinzufügen', 'Ajouter 2'])(
    '“%s” alone adds to the cart',
    (text) => {
      expect(words.addToCart.test(text)).toBe(true);
    },
  );

  it.each([
    ['2', 2],
    ['1.00', 1],
    ['3,0', 3],
    ['10+', 10],
    ['Qty: 2', 2],
    ['Antal: 2', 2],
    ['Kvantitet 2', 2],
    ['Määrä: 2', 2],
    ['Ilość: 2', 2],
    ['Množství: 2', 2],
    ['Množstvo: 2', 2],
    ['2 Stück', 2],
    ['2 szt.', 2],
    ['2 ks', 2],
    ['2 kpl', 2],
    ['1.50', undefined],
    ['1.000,00', undefined],
    ['Size 38', undefined],
    ['38 EU', undefined],
  ])('“%s” says the number %s', (text, count) => {
    expect(countIn(text)).toBe(count);
  });

  it.each(['Innehåller', 'Indeholder', 'Inneholder', 'Sisältää', 'Zawiera', 'Obsahuje'])(
    '“%s 2 …” is what a set is made of, and no number of it',
    (word) => {
      expect(quantityInText(`Dinner Set\n${word} 2 × plate\n86.00`, 'Dinner Set')).toBeUndefined();
    },
  );
});
