/** The languages whose words are kept one by one. */
export type Language =
  | 'en'
  | 'de'
  | 'fr'
  | 'es'
  | 'it'
  | 'nl'
  | 'pt'
  | 'ja'
  | 'sv'
  | 'da'
  | 'no'
  | 'fi'
  | 'pl'
  | 'cs'
  | 'sk';
/** Words of one meaning by language; each is the source of an expression. */
export type WordList = Readonly<Partial<Record<Language, readonly string[]>>>;

/** One expression for all languages of a list. */
export const anyOf = (list: WordList): string => Object.values(list).flat().join('|');

/** “Add” alone adds to the cart, unless the caption says what else it adds, or to what. */
const addsHere = (verb: string, elsewhere: string) => `^(?!.*(?:${elsewhere})).*(?:${verb})`;

/**
 * Words by meaning and language, as the translations of widespread platforms have them; the tests
 * beside this file name the platforms. An apostrophe is written as a dot: shops write two kinds of
 * it.
 */
export const wordLists = {
  /** The name of the number of pieces, in plain text. */
  quantity: {
    en: ['qty', 'quantity'],
    de: ['menge', 'anzahl'],
    fr: ['quantite'],
    it: ['quantita'],
    es: ['cantidad', 'unidades', 'uds'],
    nl: ['aantal'],
    pt: ['quantidade'],
    ja: ['数量', '個数'],
    sv: ['antal', 'kvantitet'],
    da: ['antal'],
    no: ['antall'],
    fi: ['maara', 'lukumaara'],
    pl: ['ilosc', 'liczba sztuk'],
    cs: ['mnozstvi', 'pocet(?: kusu)?'],
    sk: ['mnozstvo', 'pocet(?: kusov)?'],
  },
  /** What stands behind a number of pieces, in plain text. */
  pieces: {
    en: ['pcs?', 'pieces?', 'copies', 'pairs?', 'items?'],
    de: ['stuck', 'stk', 'artikel'],
    fr: ['articles?'],
    es: ['unidades', 'uds'],
    it: ['pezzi'],
    nl: ['stuks'],
    ja: ['点', '個'],
    da: ['stk'],
    no: ['stk'],
    fi: ['kpl'],
    pl: ['szt', 'sztuk[ai]?'],
    cs: ['ks', 'kus(?:y|u)?'],
    sk: ['ks', 'kus(?:y|ov)?'],
  },
  /** What a set is made of, in plain text: “Includes 2 × plate”. */
  contents: {
    en: ['includ(?:es|ing)', 'contains', 'consists of', 'set of'],
    de: ['enthalt', 'beinhaltet', 'bestehend aus'],
    fr: ['comprend', 'contient'],
    es: ['incluye', 'contiene'],
    it: ['include', 'contiene'],
    nl: ['bevat'],
    sv: ['innehaller'],
    da: ['indeholder'],
    no: ['inneholder'],
    fi: ['sisaltaa'],
    pl: ['zawiera'],
    cs: ['obsahuje'],
    sk: ['obsahuje'],
  },
  /** The heading of what was put aside, and is not to be bought now. */
  savedForLater: {
    en: [
      '(?:items? )?saved (?:items?|products?|(?:items? )?for later)',
      '(?:my |your )?wish ?list',
      '(?:my |your )?favou?rites',
    ],
    de: [
      '(?:für später )?(?:gemerkt|gespeichert|vorgemerkt)(?:e artikel)?(?: für später)?',
      'für später',
      '(?:mein |ihr )?(?:merkzettel|wunschzettel)',
      '(?:meine |ihre )?(?:merkliste|wunschliste)',
    ],
    fr: ['(?:articles )?(?:enregistrés|mis de côté|sauvegardés)(?: pour plus tard)?'],
    es: ['(?:artículos |productos )?guardados? (?:para )?(?:más tarde|después|luego)'],
    it: ['(?:articoli )?salvat[io] per dopo'],
    nl: ['bewaard voor later', '(?:mijn )?verlanglijst(?:je)?'],
    pt: ['(?:itens )?(?:guardados?|salvos?) para (?:mais tarde|depois)'],
    sv: ['sparat? (?:för|till) senare', '(?:min )?önskelista'],
    da: ['gemt til senere', '(?:min )?ønskeliste'],
    no: ['lagret til senere', '(?:min )?ønskeliste'],
    fi: ['tallennettu myöhempää varten', '(?:oma )?toivelista'],
    pl: ['(?:zapisane|odłożone) na później', '(?:moja )?lista życzeń'],
    cs: ['uloženo na později', '(?:můj )?seznam přání'],
    sk: ['uložené na neskôr', '(?:môj )?zoznam želaní'],
  },
  /** Puts into the cart what was put aside. */
  moveToCart: {
    de: ['in den (?:waren|einkaufs)korb (?:verschieben|legen|zurück)'],
    fr: ['(?:déplacer|remettre) (?:vers|dans|au) (?:le |mon )?panier'],
    es: ['(?:mover|pasar) a(?:l carrito| la (?:cesta|bolsa))'],
    it: ['sposta nel carrello'],
    nl: ['verplaats naar winkel(?:wagen|mand)', 'naar winkel(?:wagen|mand) verplaatsen'],
    pt: ['mover para o carrinho'],
    sv: ['flytta till (?:varukorg|kundvagn)'],
    da: ['flyt til (?:indkøbs)?kurv'],
    no: ['flytt til handlekurv'],
    fi: ['siirrä (?:ostos)?koriin'],
    pl: ['przenieś do koszyka'],
    cs: ['přesunout do košíku'],
    sk: ['presunúť do košíka'],
  },
  addToCart: {
    en: [
      addsHere('add (?:item|it)\\b', 'wish|fav|list|compar|registry|gift|note|message|code|coupon'),
    ],
    de: [
      'in (?:den )?einkaufswagen',
      addsHere(
        'hinzufügen',
        'wunsch|merk|favorit|liste|vergleich|geschenk|notiz|nachricht|kommentar|gutschein|code|rabatt|adresse|karte|zahlung|schutz|garantie|versicherung',
      ),
    ],
    fr: [
      addsHere(
        'ajouter',
        'favori|envie|souhait|liste|compar|cadeau|note|message|commentaire|code|coupon|bon |adresse|carte|paiement|assurance|garantie|protection',
      ),
    ],
    es: [
      addsHere(
        'añadir|agregar',
        'favorit|deseo|lista|compar|regalo|nota|mensaje|comentario|c[oó]digo|cup[oó]n|direcci[oó]n|tarjeta|pago|seguro|garant[ií]a|protecci[oó]n',
      ),
    ],
    it: ['metti nel carrello'],
    nl: ['in winkelm(?:and|andje)'],
    pt: ['colocar no carrinho', 'juntar ao carrinho'],
    sv: ['lägg (?:till )?i (?:varukorg|kundvagn)'],
    da: ['læg i (?:indkøbs)?kurv', '(?:føj|tilføj) til (?:indkøbs)?kurv'],
    no: ['legg (?:til )?i handlekurv'],
    fi: ['lisää (?:ostos)?koriin'],
    pl: ['(?:dodaj|wrzuć|włóż) do koszyka', '^do koszyka$'],
    cs: ['(?:přidat|vložit|dát) do košíku', '^do košíku$'],
    sk: ['(?:pridať|vložiť) do košíka', '^do košíka$'],
  },
  newAddress: {
    de: ['adresse hinzuf[uü]gen', 'neue anschrift'],
    fr: ['ajouter une (?:nouvelle )?adresse'],
    es: ['a[nñ]adir (?:una )?(?:nueva )?direcci[oó]n', 'agregar (?:una )?(?:nueva )?direcci[oó]n'],
    it: ['aggiungi (?:un )?(?:nuovo )?indirizzo'],
    nl: ['adres toevoegen'],
    pt: [
      'nov[ao] (?:morada|endere[cç]o)',
      'outr[ao] (?:morada|endere[cç]o)',
      'adicionar (?:uma |um )?(?:morada|endere[cç]o)',
    ],
  },
  checkout: {
    fr: ['valider (?:la|ma) commande', 'passer (?:la|ma) commande'],
    it: ['procedi con l.ordine', 'concludi l.acquisto', 'concludi (?:l.)?ordine'],
    pt: ['finalizar (?:a )?encomenda', 'ir para o (?:checkout|pagamento)', 'encerrar compra'],
    sv: ['kassan?\\b'],
    da: ['kassen\\b', 'gå til betaling'],
    no: ['kassen?\\b'],
    fi: ['kassa(?:lle)?\\b', 'jatka maksamaan'],
    pl: ['realizuj zakup', 'realizuj zamówienie', 'do kasy', 'przejdź do (?:kasy|płatności)'],
    cs: ['pokladn[aěuy]', 'přejít k objednávce'],
    sk: ['pokladn[aeiu]', 'k pokladni'],
  },
  place: {
    it: ['concludi e paga', 'acquista ora'],
    nl: ['bestelling (?:plaatsen|afronden|bevestigen)', 'bestellen en betalen'],
    pt: [
      '(?:fazer|concluir|confirmar|efetuar|finalizar|enviar) (?:a |o |minha )?(?:encomenda|pedido|compra|pagamento)',
      'encomendar (?:e pagar|agora)',
    ],
    sv: [
      '(?:skicka|slutför|bekräfta|lägg) (?:min |din )?(?:order|beställning|köp|köpet)',
      '^beställ(?: nu)?$',
      '^betala(?: nu)?\\b',
      '^köp(?: nu)?$',
    ],
    da: [
      '(?:send|afgiv|bekræft|gennemfør) (?:min |din )?(?:ordren?|bestilling|køb)',
      '^(?:bestil|betal|køb)(?: nu)?\\b',
    ],
    no: [
      '(?:send|plasser|bekreft|fullfør|legg inn) (?:min |din )?(?:ordren?|bestilling(?:en)?|kjøp(?:et)?)',
      '^(?:bestill|betal|kjøp)(?: nå)?\\b',
    ],
    fi: [
      '(?:tee|lähetä|vahvista|viimeistele) (?:tilaus|osto)',
      '^(?:tilaa|maksa|osta)(?: nyt)?\\b',
    ],
    pl: [
      'zamawiam',
      'kupuję',
      '(?:złóż|potwierdź|wyślij|zatwierdź) (?:zamówienie|zakup)',
      '^(?:zapłać|kup teraz)',
      'z obowiązkiem zapłaty',
    ],
    cs: [
      'objednat',
      '(?:odeslat|dokončit|potvrdit|závazně) (?:objednávku|objednat|nákup)',
      '^zaplatit',
      '^koupit',
    ],
    sk: [
      'objednať',
      '(?:odoslať|dokončiť|potvrdiť|záväzne) (?:objednávku|objednať|nákup)',
      '^zaplatiť',
      '^kúpiť',
      's povinnosťou platby',
    ],
  },
  continue: {
    it: ['salva e continua'],
    nl: ['opslaan en (?:doorgaan|verder)'],
    pt: ['guardar e continuar', 'salvar e continuar'],
    sv: ['fortsätt(?! (?:handla|shoppa))', 'nästa\\b'],
    da: ['fortsæt(?! (?:med at )?(?:handle|shoppe))', 'næste\\b'],
    no: ['fortsett(?! (?:å )?(?:handle|shoppe))', 'neste\\b'],
    fi: ['jatka(?! ostoksia)', 'seuraava'],
    pl: ['kontynuuj(?! zakupy)', '^dalej', 'następny'],
    cs: ['pokračovat(?! v nákupu)', 'další krok'],
    sk: ['pokračovať(?! v nákupe)', 'ďalší krok'],
  },
  guest: {
    it: ['acquista senza'],
    pt: ['como (?:visitante|convidado)', 'comprar sem'],
    sv: ['som gäst', 'utan (?:konto|att registrera)'],
    da: ['som gæst', 'uden (?:konto|at oprette)'],
    no: ['som gjest', 'uten (?:konto|å registrere)'],
    fi: ['vieraana', 'ilman (?:tiliä|rekisteröitymistä)'],
    pl: ['jako gość', 'bez (?:rejestracji|konta|logowania)'],
    cs: ['jako host', 'bez registrace'],
    sk: ['ako hosť', 'bez registrácie'],
  },
  login: {
    en: ['log in'],
    de: ['kundenlogin'],
    fr: ['connectez.vous', 'me connecter'],
    es: ['inicia(?:r)? sesi[oó]n', 'identif[ií]cate'],
    it: ['accedere', 'effettua (?:il )?login'],
    nl: ['log in\\b', 'aanmelden'],
    pt: ['iniciar sess[aã]o', 'inicie sess[aã]o', 'fazer login', 'acessar (?:a )?conta'],
  },
  register: {
    fr: ['s.inscrire', 'inscription'],
    es: ['reg[ií]strate', 'crear cuenta'],
    nl: ['account aanmaken', 'maak een account'],
    pt: ['registar', 'criar conta', 'crie (?:a sua|uma) conta'],
  },
  update: {
    sv: ['uppdatera', 'räkna om'],
    da: ['opdat[eé]r'],
    no: ['oppdater'],
    fi: ['päivitä'],
    pl: ['zaktualizuj', '(?:aktualizuj|odśwież|przelicz)'],
    cs: ['aktualizovat', 'přepočítat', 'obnovit'],
    sk: ['aktualizovať', 'prepočítať', 'obnoviť'],
  },
  remove: {
    sv: ['ta bort', 'radera'],
    da: ['fjern', '^slet'],
    no: ['fjern', '^slett'],
    fi: ['poista'],
    pl: ['usuń'],
    cs: ['odstranit', 'odebrat', 'smazat'],
    sk: ['odstrániť', 'odobrať', 'zmazať', 'vymazať'],
  },
  cart: {
    sv: ['varukorg', 'kundvagn'],
    da: ['indkøbskurv', 'indkøbsvogn', '\\bkurv(?:en)?\\b'],
    no: ['handlekurv', 'handlevogn'],
    fi: ['ostoskori', '\\bkori(?:a|in|si)?\\b'],
    pl: ['koszyk'],
    cs: ['košík'],
    sk: ['košík'],
  },
  emptyCart: {
    sv: ['(?:varukorg(?:en)?|kundvagn(?:en)?) är tom'],
    da: ['kurv(?:en)? er tom'],
    no: ['handlekurv(?:en)?(?: din)? er tom'],
    fi: ['kori(?:si)? on tyhjä'],
    pl: ['koszyk jest pusty'],
    cs: ['košík je prázdný'],
    sk: ['košík je prázdny'],
  },
  wishlist: {
    it: ['confronta'],
    nl: ['vergelijk', 'verlanglijst'],
    pt: ['lista de desejos', 'comparar'],
  },
  extra: { de: ['versandschutz', 'paketversicherung'], pt: ['seguro de (?:envio|transporte)'] },
  sameAddress: {
    en: ['billing and shipping (?:address(?:es)? )?are the same', 'use (?:the )?same address'],
    it: ['coincide con (?:quello|l.indirizzo)'],
    nl: ['(?:is )?gelijk aan'],
    pt: ['(?:[eé] )?igual [aà]'],
  },
  accountBox: { it: ['creare un account', 'crea account'], pt: ['criar uma conta'] },
  recurring: {
    it: ['ogni mese', 'abbonati'],
    nl: ['elke maand', 'abonnement'],
    pt: ['todos os meses', 'subscrev', 'assine e'],
    es: ['suscr[ií]bete'],
    fr: ['chaque mois'],
    de: ['jeden monat', '\\bim abo\\b'],
  },
  shippingMethod: { pt: ['m[eé]todo de (?:envio|entrega)', 'envio'] },
  thanks: {
    it: ['il tuo ordine [eè] (?:stato )?(?:confermato|completato|in)'],
    pt: [
      'encomenda (?:foi )?(?:recebida|confirmada|realizada|conclu[ií]da)',
      'recebemos (?:a|o) (?:sua|seu)',
    ],
  },
  cashOnDelivery: {
    fr: ['(?:paiement|payer|paye[rz]) a la livraison', 'especes a la livraison'],
    es: ['pago (?:a la|contra) entrega', 'efectivo (?:a la|al)'],
    it: ['pagamento alla consegna', 'contanti alla consegna'],
    nl: ['betalen bij (?:aflevering|levering)', 'contant bij'],
    pt: ['pagamento na entrega', 'a cobranca', 'contra.?entrega'],
    de: ['bezahlung bei lieferung'],
  },
  payLater: {
    de: [
      'bitte uberweisen sie',
      'zahlung (?:ist )?(?:noch )?(?:offen|ausstehend)',
      'warten auf ihre zahlung',
    ],
    fr: ['veuillez virer', 'paiement (?:est )?en attente', 'en attente de paiement'],
    es: ['transfiera', 'pago pendiente', 'pendiente de pago'],
    it: ['versare l', 'pagamento in (?:attesa|sospeso)', 'in attesa di pagamento'],
    nl: [
      'maak .{2,40} over naar',
      'betaling (?:staat )?(?:nog )?(?:open|uit)',
      'wacht(?:en)? op (?:uw |je )?betaling',
    ],
    pt: ['transfira', 'pagamento pendente', 'aguarda(?:ndo)? (?:o )?pagamento'],
  },
  bankTransfer: { pt: ['transferencia'], nl: ['overboeking'], de: ['vorauskasse'] },
  totalParts: {
    it: ['spedizione', 'sconto'],
    nl: ['verzend', 'bezorg', 'btw\\b', 'korting'],
    pt: ['portes', 'frete', 'desconto', 'imposto'],
    sv: ['delsumma', 'frakt', 'moms\\b'],
    da: ['frag?t', 'moms\\b', 'varer\\b', 'levering'],
    no: ['delsum', 'frakt', 'mva\\b', 'varer\\b', 'levering'],
    fi: ['valisumma', 'toimitus', 'alv\\b', 'tuotteet', 'kori'],
    pl: ['dostaw', 'wysylk', 'podatek', 'produkt', 'koszyk'],
    cs: ['mezisoucet', 'doprav', 'dph\\b', 'sleva', 'kosik', 'zbozi'],
    sk: ['medzisucet', 'doprav', 'dph\\b', 'zlava', 'kosik', 'tovar'],
  },
  totals: {
    en: ['payment due', 'amount (?:due|payable)', 'balance due'],
    pt: ['valor total', 'total a pagar'],
    fr: ['net a payer'],
    sv: ['totalsumma'],
    da: ['i alt\\b', 'totalbel(?:o|ø)b'],
    no: ['totalsum', '\\bsum\\b', 'a betale'],
    fi: ['yhteensa', 'kokonais(?:hinta|summa)', 'maksettava'],
    pl: ['lacznie', 'łącznie'],
    cs: ['celkem', 'celkova (?:cena|castka)', 'k uhrade'],
    sk: ['celkove', 'celkova suma', 'spolu\\b', 'k uhrade'],
  },
} as const satisfies Readonly<Record<string, WordList>>;

/** An expression with the words of its meaning in every language. */
export const withLanguages = (base: RegExp, list: keyof typeof wordLists): RegExp =>
  new RegExp(`${base.source}|${anyOf(wordLists[list])}`, base.flags);
