/** What an old shop writes in one language. */
export interface Words {
  readonly lang: string;
  readonly currency: string;
  readonly price: (amount: number) => string;
  readonly product: string;
  readonly add: string;
  readonly quantity: string;
  readonly cart: string;
  readonly checkout: string;
  readonly guest: string;
  readonly login: string;
  readonly next: string;
  readonly order: string;
  readonly card: string;
  readonly invoice: string;
  readonly terms: string;
  readonly news: string;
  readonly sums: readonly [goods: string, shipping: string, total: string];
  readonly cardFields: readonly [number: string, until: string, code: string, holder: string];
  readonly thanks: string;
  /**
   * Rows of the address form: name of the field, what stands before it, and the control when it is
   * not a text.
   */
  readonly rows: readonly (readonly [name: string, label: string, control?: string])[];
}

const euro = (amount: number) => `${amount.toFixed(2).replace('.', ',')} €`;
const select = (name: string, ...rows: string[]) =>
  `<select name="${name}">${rows.map((one, at) => `<option value="${at === 0 ? '' : at}">${one}</option>`).join('')}</select>`;
const countries = {
  de: ['Bitte wählen', 'Deutschland', 'Österreich', 'Frankreich'],
  fr: ['Choisissez', 'Allemagne', 'Belgique', 'France'],
  es: ['Elija', 'Alemania', 'España', 'Francia'],
};

export const german: Words = {
  lang: 'de',
  currency: 'EUR',
  price: euro,
  product: 'Kräutertee',
  add: 'In den Warenkorb',
  quantity: 'Anzahl:',
  cart: 'Warenkorb',
  checkout: 'Kasse',
  guest: 'Als Gast bestellen',
  login: 'Anmelden',
  next: 'Weiter',
  order: 'Zahlungspflichtig bestellen',
  card: 'Kreditkarte (Visa, Mastercard)',
  invoice: 'Rechnung',
  terms: 'Ich habe die AGB und die Widerrufsbelehrung gelesen und akzeptiere sie.',
  news: 'Ja, ich möchte den Newsletter erhalten',
  sums: ['Zwischensumme:', 'Versandkosten:', 'Gesamtsumme:'],
  cardFields: ['Kartennummer:', 'Gültig bis:', 'Prüfziffer:', 'Karteninhaber:'],
  thanks: 'Vielen Dank für Ihre Bestellung',
  rows: [
    ['gender', 'Anrede: *', select('gender', 'Bitte wählen', 'Herr', 'Frau', 'Divers')],
    ['n1', 'Vorname: *'],
    ['n2', 'Nachname: *'],
    ['s1', 'Straße: *'],
    ['s2', 'Hausnr.: *', '<input type="text" name="s2" size="4">'],
    ['z', 'PLZ: *', '<input type="text" name="z" size="6">'],
    ['o', 'Ort: *'],
    ['l', 'Land: *', select('l', ...countries.de)],
    ['t', 'Telefon:'],
    ['m', 'E-Mail: *'],
  ],
};
export const french: Words = {
  lang: 'fr',
  currency: 'EUR',
  price: euro,
  product: 'Tisane',
  add: 'Ajouter au panier',
  quantity: 'Quantité :',
  cart: 'Mon panier',
  checkout: 'Commander',
  guest: 'Continuer sans créer de compte',
  login: 'Identification',
  next: 'Étape suivante',
  order: 'Valider et payer',
  card: 'Carte bancaire',
  invoice: 'Virement',
  terms: "J'ai lu et j'accepte les conditions générales de vente",
  news: 'Je souhaite recevoir les offres par e-mail',
  sums: ['Sous-total', 'Frais de port', 'Total TTC'],
  cardFields: ['Numéro de carte', "Date d'expiration", 'Cryptogramme', 'Titulaire de la carte'],
  thanks: 'Merci pour votre commande',
  rows: [
    [
      'civ',
      'Civilité *',
      '<input type="radio" name="civ" value="1"> M. <input type="radio" name="civ" value="2"> Mme',
    ],
    ['n2', 'Nom *'],
    ['n1', 'Prénom *'],
    ['s1', 'Adresse *'],
    ['s3', "Complément d'adresse"],
    ['z', 'Code postal *'],
    ['o', 'Ville *'],
    ['l', 'Pays *', select('l', ...countries.fr)],
    ['t', 'Téléphone portable *'],
    ['m', 'Adresse e-mail *'],
    ['m2', "Confirmez l'adresse e-mail *"],
  ],
};
export const spanish: Words = {
  lang: 'es',
  currency: 'EUR',
  price: euro,
  product: 'Infusión',
  add: 'Añadir al carrito',
  quantity: 'Cantidad',
  cart: 'Carrito',
  checkout: 'Tramitar pedido',
  guest: 'Comprar como invitado',
  login: 'Iniciar sesión',
  next: 'Siguiente',
  order: 'Realizar pedido',
  card: 'Tarjeta de crédito o débito',
  invoice: 'Transferencia bancaria',
  terms: 'Acepto los términos y condiciones de venta',
  news: 'Quiero recibir ofertas y novedades',
  sums: ['Subtotal', 'Gastos de envío', 'Total (IVA incluido)'],
  cardFields: [
    'Número de tarjeta',
    'Fecha de caducidad',
    'Código de seguridad',
    'Titular de la tarjeta',
  ],
  thanks: 'Gracias por su pedido',
  rows: [
    ['z', 'Código postal (*)'],
    ['o', 'Población (*)'],
    ['pr', 'Provincia (*)', select('pr', '-', 'Barcelona', 'Madrid', 'Valencia')],
    ['l', 'País (*)', select('l', ...countries.es)],
    ['s1', 'Dirección (*)'],
    ['n1', 'Nombre (*)'],
    ['n2', 'Apellidos (*)'],
    ['t', 'Teléfono (*)'],
    ['m', 'Correo electrónico (*)'],
  ],
};
export const japanese: Words = {
  lang: 'ja',
  currency: 'JPY',
  price: (amount) => `${(amount * 100).toLocaleString('en')}円`,
  product: '煎茶',
  add: 'カートに入れる',
  quantity: '数量',
  cart: 'カートを見る',
  checkout: 'ご購入手続きへ',
  guest: '会員登録せずに購入する',
  login: 'ログイン',
  next: '次へ進む',
  order: '注文を確定する',
  card: 'クレジットカード',
  invoice: '銀行振込',
  terms: '利用規約に同意する',
  news: 'メールマガジンを受け取る',
  sums: ['小計', '送料', '合計（税込）'],
  cardFields: ['カード番号', '有効期限', 'セキュリティコード', 'カード名義人'],
  thanks: 'ご注文ありがとうございます',
  rows: [
    ['n2', 'お名前（姓）<font color="red">必須</font>'],
    ['n1', 'お名前（名）<font color="red">必須</font>'],
    ['m', 'メールアドレス<font color="red">必須</font>'],
    ['m2', 'メールアドレス（確認）<font color="red">必須</font>'],
    ['z', '郵便番号<font color="red">必須</font>'],
    [
      'pr',
      '都道府県<font color="red">必須</font>',
      select('pr', '選択してください', '北海道', '東京都', '大阪府'),
    ],
    ['o', '市区町村<font color="red">必須</font>'],
    ['s1', '番地<font color="red">必須</font>'],
    ['s3', '建物名・部屋番号'],
    ['t', '電話番号<font color="red">必須</font>'],
  ],
};
