import { describe, expect, it } from 'vitest';
import { countIn } from '../fields/count.ts';
import { outcomeWords } from '../steps/outcome/outcome-words.ts';
import { wayIn } from '../steps/paying/paying.ts';
import { quantityInText } from '../steps/product/quantity.ts';
import { comesAgain, isPlan, words } from './words.ts';

type Meaning = keyof typeof words | 'plan' | 'again';

const means = (meaning: Meaning, text: string) =>
  meaning === 'plan'
    ? isPlan(text)
    : meaning === 'again'
      ? comesAgain(text)
      : words[meaning].test(text);

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
      soldOut: ['Slutsåld', 'Slut i lager', 'Inte tillgängliga'],
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
      soldOut: ['Udsolgt', 'Ikke på lager', 'Ikke tilgængelig'],
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
      soldOut: ['Utsolgt', 'Utilgjengelig'],
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
      soldOut: ['Loppuunmyyty', 'Ei käytettävissä', 'Loppunut varastosta'],
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
      soldOut: ['Wyprzedane', 'Niedostępny', 'Zapas wyczerpany'],
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
      soldOut: ['Vyprodáno', 'Není k dispozici'],
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
      soldOut: ['Vypredané', 'Nedostupné'],
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
  // The language packs of Magento, and the translations of Spree.
  {
    platform: 'Magento',
    language: 'sv',
    captions: {
      card: ['Kreditkort'],
      giftCard: ['Presentkort'],
      paymentMethod: ['Betalningsmetod'],
      shippingMethod: ['Leveransmetod', 'Fraktsätt'],
      accountBox: ['Skapa ett konto', 'Spara i adressboken'],
      plan: ['Veckovis'],
      checkout: ['Gå vidare till kassan'],
      extra: ['Lägg till Presentinslagning'],
      login: ['Logga in'],
      marketing: ['Registrera dig för nyhetsbrev'],
      place: ['Beställ'],
      sameAddress: ['Min faktura- och leveransadress är densamma'],
      soldOut: ['Ej i lager'],
      terms: ['Regler och Villkor'],
      thanks: ['Tack för ditt köp!'],
      wishlist: ['Lägg till i önskelista'],
    },
  },
  {
    platform: 'Spree',
    language: 'sv',
    captions: {
      place: ['Beställa'],
      sameAddress: ['Samma som leveransadress'],
      soldOut: ['borttagen eftersom den var slutsåld'],
      terms: ['Acceptera användarvillkoren', 'Integritetspolicy'],
      thanks: ['Din order har tagits emot.'],
    },
  },
  {
    platform: 'Magento',
    language: 'da',
    captions: {
      card: ['Kreditkort'],
      giftCard: ['Gavekort'],
      paymentMethod: ['Betalingsmetode'],
      shippingMethod: ['Forsendelsesmetode'],
      accountBox: ['Opret en konto', 'Husk mig'],
      plan: ['Ugentlig'],
      continue: ['Videre'],
      extra: ['Tilføj gaveindpakning'],
      login: ['Log ind'],
      marketing: ['Tilmeld nyhedsbrev'],
      place: ['Afgiv ordre'],
      sameAddress: ['Min fakturerings- og leveringsadresse er den samme'],
      soldOut: ['Udsolgt'],
      terms: ['Vilkår og betingelser'],
      thanks: ['Tak for dit køb!'],
      wishlist: ['Føj til ønskeliste'],
    },
  },
  {
    platform: 'Magento',
    language: 'no',
    captions: {
      card: ['Kredittkort'],
      giftCard: ['Gavekort'],
      shippingMethod: ['Leveringsmåte', 'Frakt metode'],
      accountBox: ['Opprette en Konto', 'Lagre i adresseboken'],
      extra: ['Legg til gaveinnpakking'],
      login: ['Logg inn'],
      marketing: ['Motta nyhetsbrev'],
      place: ['Send bestilling', 'Bestill'],
      sameAddress: ['Min faktura- og leveringsadresse er den samme'],
      soldOut: ['Ikke på lager'],
      terms: ['Vilkår og betingelser'],
      thanks: ['Takk for bestillingen!', 'Takk for din bestilling!'],
    },
  },
  {
    platform: 'Magento',
    language: 'fi',
    captions: {
      card: ['Luottokortti'],
      giftCard: ['Lahjakortti'],
      paymentMethod: ['Maksutapa'],
      shippingMethod: ['Toimitustapa'],
      accountBox: ['Luo tili', 'Muista minut'],
      plan: ['10 päivän välein', 'Kuukausittain'],
      extra: ['Lisää lahjan paketointi'],
      login: ['Kirjaudu sisään'],
      marketing: ['Tilaa uutiskirje'],
      sameAddress: ['Laskutus- ja toimitusosoite ovat samat'],
      soldOut: ['Ei varastossa'],
      terms: ['Käyttöehdot'],
      thanks: ['Kiitos ostoksestasi!'],
      wishlist: ['Lisää toivelistaan'],
    },
  },
  {
    platform: 'Magento',
    language: 'pl',
    captions: {
      card: ['Karta kredytowa'],
      giftCard: ['Karta podarunkowa'],
      paymentMethod: ['Metoda płatności'],
      shippingMethod: ['Metoda dostawy'],
      accountBox: ['Utwórz konto', 'Zapamiętaj mnie'],
      plan: ['Co 10 dni', 'Co miesiąc'],
      continue: ['Następne'],
      extra: ['Dodaj opakowanie prezentu'],
      login: ['Zaloguj się'],
      place: ['Złóż zamówienie'],
      soldOut: ['Brak w magazynie'],
      sameAddress: ['Mój adres rozliczeniowy oraz adres dostawy są takie same'],
      terms: ['Zasady składania zamówień'],
      thanks: ['Dziękujemy za złożenie zamówienia!'],
      wishlist: ['Dodaj do schowka'],
    },
  },
  {
    platform: 'Spree',
    language: 'pl',
    captions: {
      checkout: ['Złożenie zamówienia'],
      soldOut: ['został usunięty, ponieważ został wyprzedany'],
      terms: ['Regulamin', 'Zgoda na politykę prywatności'],
      thanks: ['Twoje zamówienie zostało przetworzone'],
      update: ['Uaktualnij'],
    },
  },
  {
    platform: 'Magento',
    language: 'cs',
    captions: {
      card: ['Kreditní karta', 'Platební karta'],
      giftCard: ['Dárkový poukaz'],
      paymentMethod: ['Způsob platby'],
      shippingMethod: ['Způsob dopravy'],
      accountBox: ['Vytvořit účet', 'Uložit do adresáře'],
      plan: ['Každých 10 dní', 'Každé 3 dny', 'Měsíčně'],
      checkout: ['Dokončit objednávku', 'K pokladně'],
      continue: ['Následující'],
      extra: ['Přidat dárkové balení'],
      login: ['Přihlásit se'],
      marketing: ['Přihlásit se k odběru newsletteru'],
      place: ['Objednat'],
      sameAddress: ['Moje fakturační a doručovací adresy jsou stejné'],
      soldOut: ['Není skladem'],
      terms: ['Obchodní podmínky'],
      thanks: ['Děkujeme vám za objednávku!'],
      wishlist: ['Přidat k oblíbeným'],
    },
  },
  {
    platform: 'Spree',
    language: 'cs',
    captions: {
      remove: ['Vyjmout'],
      soldOut: ['byla odstraněna, protože byla vyprodána'],
      terms: ['Souhlasím se zásadami ochrany osobních údajů'],
      thanks: ['Vaše objednávka byla úspěšně zpracována', 'Děkujeme za Váš nákup.'],
    },
  },
  {
    platform: 'Magento',
    language: 'sk',
    captions: {
      card: ['Platobná karta', 'Kreditná karta'],
      paymentMethod: ['Spôsob platby'],
      shippingMethod: ['Spôsob dopravy'],
      accountBox: ['Vytvoriť účet'],
      checkout: ['Prejdite do pokladne'],
      continue: ['Nasledujúca'],
      extra: ['Darčekové balenie'],
      login: ['Prihlásiť sa'],
      marketing: ['Prihlásiť sa k odberu infrmačného bulletinu'],
      place: ['Objednať'],
      sameAddress: ['Adresa dodania a fakturačná adresa sú rovnaké'],
      soldOut: ['Vypredané'],
      terms: ['Zmluvné podmienky'],
      thanks: ['Ďakujeme za váš nákup!'],
      wishlist: ['Pridať do zoznamu prianí'],
    },
  },
  {
    platform: 'OpenCart',
    language: 'sk',
    captions: {
      marketing: ['Chcel(a) by som sa prihlásiť k odberu %s novinky/noviniek.'],
      recurring: ['Opakujúca sa položka'],
      thanks: ['Vaša objednávka bola úspešne odoslaná!'],
    },
  },
  // Shopify's own app of subscriptions.
  ...(
    [
      ['sv', 'Engångsköp', 'Prenumeration', 'Leverera varje vecka', 'Leverera var 2:e vecka'],
      ['da', 'Engangskøb', 'Abonnement', 'Levér hver uge', 'Levér hver 2. uge'],
      ['no', 'Éngangskjøp', 'Abonnement', 'Lever hver uke', 'Lever hver 2. uke'],
      ['fi', 'Kertaostos', 'Toistuva tilaus', 'Toimita joka viikko', 'Toimita 2 viikon välein'],
      [
        'pl',
        'Zakup jednorazowy',
        'Subskrypcja',
        'Dostarczaj co tydzień',
        'Dostarczaj co 2 tygodnie',
      ],
      ['cs', 'Jednorázový nákup', 'Předplatné', 'Doručení každý týden', 'Doručení každý 2. týden'],
      [
        'sk',
        'Jednorazový nákup',
        'Predplatné',
        'Doručenie každý týždeň',
        'Doručenie každý 2. týždeň',
      ],
    ] as const
  ).map(([language, once, name, weekly, every]) => ({
    platform: 'Shopify Subscriptions',
    language,
    captions: { oneTime: [once], recurring: [name, weekly], again: [every] },
  })),
];

const rows = said.flatMap(({ platform, language, captions }) =>
  Object.entries(captions).flatMap(([meaning, texts]) =>
    texts.map((text) => [`${platform} ${language}`, text, meaning as Meaning] as const),
  ),
);

describe('what became of an order', () => {
  it.each([
    ['Dawn sv', 'Slutsåld', 'soldOut', true],
    ['Magento fi', 'Ei varastossa', 'soldOut', true],
    ['Dawn pl', 'Wyprzedane', 'soldOut', true],
    ['Spree cs', 'byla odstraněna, protože byla vyprodána', 'soldOut', true],
    ['Dawn sk', 'Nedostupné', 'soldOut', true],
    ['Dawn cs', 'Skladem', 'soldOut', false],
    ['Spree cs', 'Děkujeme za Váš nákup.', 'bareThanks', true],
    ['Magento pl', 'Dziękujemy za złożenie zamówienia!', 'bareThanks', true],
    ['Magento sk', 'Ďakujeme za váš nákup!', 'bareThanks', true],
    ['a newsletter', 'Děkujeme za přihlášení k odběru', 'otherThanks', true],
    ['a newsletter', 'Dziękujemy za zapisanie się', 'otherThanks', true],
    ['an account', 'Ďakujeme za registráciu', 'otherThanks', true],
    ['an account', 'Tack för din registrering', 'otherThanks', true],
    ['Magento sv', 'Tack för ditt köp!', 'otherThanks', false],
    ['Magento pl', 'Dziękujemy za złożenie zamówienia!', 'otherThanks', false],
    ['Spree cs', 'Děkujeme za Váš nákup.', 'otherThanks', false],
    ['a product', 'Takkekort', 'bareThanks', false],
  ] as const)('%s: whether “%s” means %s: %s', (_, text, meaning, isMeant) => {
    expect(outcomeWords[meaning].test(text)).toBe(isMeant);
  });
});

describe('words of one language', () => {
  it.each(rows)('%s: “%s” means %s', (_, text, meaning) => {
    expect(means(meaning, text)).toBe(true);
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
    ['Wyprzedaż', 'soldOut'],
    ['Výprodej', 'soldOut'],
    ['Výpredaj', 'soldOut'],
    ['På lager', 'soldOut'],
    ['Skladem', 'soldOut'],
    ['Prenumerera på Nyhetsbrev', 'recurring'],
    ['Co nowego?', 'plan'],
    ['Müller & Co 2 Stück', 'plan'],
    ['alle 3 Farben', 'plan'],
    ['Weekly offer', 'again'],
    ['Přihlásit se k odběru newsletteru', 'login'],
    ['Souhlasím s podmínkami', 'sameAddress'],
    ['Fortsätt handla', 'continue'],
    ['Fortsæt med at handle', 'continue'],
    ['Fortsett å handle', 'continue'],
    ['Jatka ostoksia', 'continue'],
    ['Kontynuuj zakupy', 'continue'],
    ['Pokračovat v nákupu', 'continue'],
    ['Pokračovať v nákupe', 'continue'],
  ])('“%s” does not mean %s', (text, meaning) => {
    expect(means(meaning, text)).toBe(false);
  });

  it.each([
    ['Faktura', 'invoice'],
    ['Lasku', 'invoice'],
    ['Platba dobírkou', 'cash on delivery'],
    ['Postiennakko', 'cash on delivery'],
    ['Płatne przy odbiorze', 'cash on delivery'],
    ['Kontant Ved Levering Betaling', 'cash on delivery'],
    ['Kontant betalning vid leverans', 'cash on delivery'],
    ['Betalning via bankgiro', 'bank transfer'],
    ['Betaling via bankoverførsel', 'bank transfer'],
    ['Tilisiirto', 'bank transfer'],
    ['Płatność przelewem bankowym', 'bank transfer'],
    ['Platba bankovním převodem', 'bank transfer'],
    ['Platba Prevodom', 'bank transfer'],
    ['Fakturační adresa', undefined],
  ])('Magento: “%s” pays by %s', (text, way) => {
    expect(wayIn(text)).toBe(way);
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
