/** What a field of a shop may be for. */
export const meanings = [
  'email',
  'emailConfirm',
  'firstName',
  'lastName',
  'fullName',
  'salutation',
  'company',
  'phone',
  'phoneCode',
  'addressLine1',
  'houseNumber',
  'addressLine2',
  'city',
  'state',
  'postalCode',
  'country',
  'cardNumber',
  'cardExpiry',
  'cardMonth',
  'cardYear',
  'cardCvc',
  'cardHolder',
  'username',
  'password',
  'oneTimeCode',
  'coupon',
  'giftCard',
  'search',
  'newsletter',
  'review',
  'quantity',
  'note',
  'birthDate',
  'taxId',
] as const;
export type Meaning = (typeof meanings)[number];

export const cardMeanings: ReadonlySet<Meaning> = new Set([
  'cardNumber',
  'cardExpiry',
  'cardMonth',
  'cardYear',
  'cardCvc',
  'cardHolder',
]);
export const secretMeanings: ReadonlySet<Meaning> = new Set([
  ...cardMeanings,
  'password',
  'oneTimeCode',
]);
/** Never filled, whatever the form. */
export const foreignMeanings: ReadonlySet<Meaning> = new Set([
  'coupon',
  'giftCard',
  'search',
  'newsletter',
  'review',
  'note',
]);

interface MeaningRule {
  /** Tokens of the autocomplete attribute (HTML standard). */
  readonly tokens: readonly string[];
  /** Words of names and identifiers, without separators between words. */
  readonly name: RegExp;
  /** Words that people read, in plain text (see `plain`). */
  readonly label: RegExp;
  readonly not?: RegExp;
  readonly types?: readonly string[];
}

/** Names, identifiers and labels are compared in plain text: lower case, without accents. */
export const meaningRules: Readonly<Record<Meaning, MeaningRule>> = {
  email: {
    tokens: ['email'],
    name: /e-?mail|courriel|correo/,
    label: /e-?mail|courriel|correo|contact$|メール/,
    not: /confirm|repeat|again|wiederhol|newsletter|bestatig|確認|マガジン|メルマガ|conferma|bevestig|herhaal|repet/,
    types: ['email'],
  },
  emailConfirm: {
    tokens: [],
    name: /(?:confirm|repeat|re|verify|second).{0,4}e-?mail|e-?mail.{0,3}(?:confirm|repeat|2|again|verif)/,
    label:
      /(?:confirm|repeat|re-?enter|verify|wiederhol|bestatig|confirme|repet|repit).{0,20}(?:mail|correo|courriel)|mail.{0,12}(?:wiederhol|bestatig|confirm|again)|メール.*確認|確認.*メール|(?:conferma|ripeti|bevestig|herhaal|repita|confirmar).{0,20}mail/,
  },
  firstName: {
    tokens: ['given-name'],
    name: /first.?name|given.?name|fname|forename|vorname|prenom|nombre(?!s?.?(?:completo|usuario))|firstname|(?:^|\W)first$|voornaam|(?:^|\W)nome(?:$|\W)|mei$/,
    label:
      /first name|given name|forename|vorname|prenom|nombre(?! (?:completo|y apellido|de (?:usuario|la via|la calle|empresa|tarjeta))|s y apellidos)|christian name|\(名\)|^名(?!前|義|称)|voornaam|\bnome\b(?! (?:completo|utente|e (?:cognome|sobrenome|apelido)|sulla|no |da |della))|primeiro nome/,
    not: /last|nach|apellid|full|vollst|complet|card|karte|carte|tarjeta|inhaber|titular|cognome|sobrenome|utente|カナ|フリガナ|empresa|azienda/,
  },
  lastName: {
    tokens: ['family-name'],
    name: /last.?name|family.?name|lname|surname|nachname|familienname|(?<!pre)nom(?:$|\W|.?de.?famille)|apellido|(?:^|\W)last$|cognome|achternaam|sobrenome|apelido|sei$/,
    label:
      /last name|family name|surname|nachname|familienname|nom de famille|^nom\b|apellido|\(姓\)|^姓|苗字|名字|cognome|achternaam|sobrenome|apelido|ultimo nome/,
    not: /first|vorname|vor- ?und|full|prenom et|nombre y|nombre completo|nom complet|nom et|card|carte|tarjeta|inhaber|titular|titulaire|nome e|カナ|フリガナ/,
  },
  fullName: {
    tokens: ['name'],
    name: /full.?name|^name$|your.?name|recipient|customer.?name|contact.?name|receiver|shipping.?name|empfanger|nom.?complet|nombre.?completo|destinat/,
    label:
      /full name|your name|^name\b|recipient|vor- ?und (?:nach|zu)name|vollstandiger name|vorname.{1,4}(?:und |& ?)?(?:nach|zu)?name|empfanger|nom complet|nom et prenom|prenom et nom|nombre (?:completo|y apellidos?)|nombres y apellidos|first and last|destinat|who (?:is|should)|^お?名前(?!.*\((?:姓|名|セイ|メイ)\))|氏名|宛名|受取人|nome e cognome|nome completo|volledige naam|^naam\b|nominativo/,
    not: /user ?name|card|karte|carte|tarjeta|company|firma|inhaber|titular|benutzer|file|nick|product|カナ|フリガナ|カード|会社|bedrijf|gebruiker/,
  },
  salutation: {
    tokens: ['honorific-prefix'],
    name: /salutation|anrede|civilite|title$|tratamiento|gender/,
    label:
      /^(?:title|salutation|anrede|civilite|tratamiento|gender|geschlecht)\b|aanhef|titolo|tratamento|^m\.$|敬称/,
  },
  company: {
    tokens: ['organization'],
    name: /company|organi[sz]ation|firma|societe|entreprise|empresa|business/,
    label:
      /company|organi[sz]ation|firma|unternehmen|societe|entreprise|empresa|business name|会社|法人|azienda|ragione sociale|bedrijf/,
  },
  phone: {
    tokens: ['tel', 'tel-national', 'tel-local'],
    name: /phone|mobile|^tel|telefon|handy|telephone|movil|portable|\btel\b/,
    label:
      /phone|mobile|tele(?:f|ph)on|handy|rufnummer|\btel\b|movil|portable|cell|電話|携帯|telefoon|cellulare|mobiel|\bgsm\b|celular|telemovel/,
    not: /extension|ext\b|country code|vorwahl/,
    types: ['tel'],
  },
  phoneCode: {
    tokens: ['tel-country-code'],
    name: /(?:phone|tel|mobile|dial|calling|country).?(?:country.?)?(?:code|prefix)|dial.?code|vorwahl|prefijo|indicatif/,
    label:
      /country code|calling code|dial(?:ling)? code|vorwahl|landesvorwahl|prefijo|indicatif|prefisso|landnummer|国番号/,
    not: /post|zip|promo|card|security/,
  },
  addressLine1: {
    tokens: ['street-address', 'address-line1'],
    name: /address.?(?:line)?.?1|street(?!.?(?:number|no\b|2))|strasse|^address$|(?:^|\W)(?:adresse|rue|calle|direccion)(?:$|\W|.?1)|addr(?:ess)?1|shipping.?address$|via\b|indirizzo|straat|endereco|morada/,
    label:
      /address(?! ?(?:line)? ?(?:2|two|3))(?! book)|street|strasse|adresse(?! ?(?:2|e-?mail|mail))|(?:^| )rue\b|calle|direccion(?! (?:2|de correo))|nombre de la via|番地|住所(?! ?2)|丁目|町名|indirizzo(?! (?:2|e-?mail|mail))|^via\b|\badres\b|straat|endereco|morada|\brua\b/,
    not: /e-?mail|mail|web|ip\b|zusatz|complement|optional 2|billing address is|apartment|line 2|same as|number only|建物|メール|都道府県|市区|マンション|toevoeging|interno|compl|find|search|suche/,
  },
  houseNumber: {
    tokens: [],
    name: /house.?(?:no|num|nr)|street.?(?:no|num|nr)|hausn|numero.?(?:de.?)?(?:rue|calle|via)|building.?n|huisn|civico/,
    label:
      /house (?:no|num|nr)|hausn|^(?:nr|no|numero|number)\.?$|street (?:no|num)|numero de (?:la )?(?:rue|calle|via|voie)|^numero\b|huisnummer|numero civico|^civico|huisnr/,
    not: /card|phone|karte|order|tarjeta|carte\b|carta|cartao|kaart|telef|movil|client|compte|cuenta|pedido|commande|iva|fiscal|vat/,
  },
  addressLine2: {
    tokens: ['address-line2', 'address-line3'],
    name: /address.?(?:line)?.?(?:2|two)|addr(?:ess)?2|apart|apt|suite|unit|zusatz|complement|floor|piso/,
    label:
      /address\W{0,3}(?:line)? ?(?:2|two)|\bline ?(?:2|two)\b|apartment|apt\b|suite|unit\b|adresszusatz|zusatz|complement|etage|floor|piso|puerta|escalera|building|建物|部屋|マンション|アパート|toevoeging|interno|scala|住所 ?2/,
    not: /street name|zip|post ?code/,
  },
  city: {
    tokens: ['address-level2'],
    name: /city|town|locality|stadt|(?:^|\W)ort(?:$|\W)|ville|ciudad|localidad|poblacion|suburb|municip|citta|comune|plaats|cidade/,
    label:
      /city|town|locality|stadt|\bort\b|wohnort|ville|ciudad|localidad|poblacion|suburb|commune|municipio|市区町村|市町村|市区郡|\bcitta\b|\bcomune\b|woonplaats|\bplaats\b|\bcidade\b|localidade/,
    not: /state|county/,
  },
  state: {
    tokens: ['address-level1'],
    name: /state|province|region|county|bundesland|departement|provincia|estado|prefecture|administrative|kanton|zone|pref$|provinci/,
    label:
      /state|province|region|county|bundesland|departement|provincia|estado|prefecture|kanton|canton|comunidad|都道府県|provinci|distrito|estado/,
    not: /country|united states only|statement/,
  },
  postalCode: {
    tokens: ['postal-code'],
    name: /post.?(?:al)?.?code|zip|postcode|plz|postleitzahl|code.?postal|codigo.?postal|(?:^|\W)cp(?:$|\W)|postal|(?:^|\W)cap(?:$|\W)|(?:^|\W)cep(?:$|\W)/,
    label:
      /post(?:al)? ?code|zip|postcode|\bplz\b|postleitzahl|code postal|codigo postal|\bc\.?p\.?\b|eircode|pin ?code|郵便番号|〒|\bcap\b|codice postale|codigo postal|\bcep\b/,
    not: /find|search|near|gift|suche/,
  },
  country: {
    tokens: ['country', 'country-name'],
    name: /country|land$|pays|(?:^|\W)pais|nation/,
    label:
      /country|^land\b|lieferland|\bpays\b|\bpais\b|destination|ship to|^国(?!内)|\bpaese\b|nazione|lieferland|land van/,
    not: /code|county|calling|vorwahl|bundesland/,
  },
  cardNumber: {
    tokens: ['cc-number'],
    name: /card.?(?:no|num|nr)|cc.?(?:no|num|nr)|^cc$|cardnumber|ccnumber|pan$|kartennummer|numero.?(?:de.?)?(?:la.?)?(?:carte|tarjeta)|credit.?card$/,
    label:
      /card ?(?:no|num|nr|#)|kartennummer|kartennr|kreditkarten-?nr|numero de (?:la )?(?:carte|tarjeta)|(?:credit|debit) card(?!.*(?:code|expir|name))|^carte$|1234 1234|number on (?:the )?(?:front of )?(?:the |your )?card|long (?:card )?number|カード番号|numero (?:della )?carta|kaartnummer|numero do cartao/,
    not: /gift|loyalty|geschenk|cadeau|regalo|member/,
  },
  cardExpiry: {
    tokens: ['cc-exp'],
    name: /exp(?:iry|iration|ires|date)?(?:.?date)?$|cc.?exp$|card.?exp|ablauf|gultig|caduc|venc|validity|valid.?thru/,
    label:
      /expir|exp\.? ?date|valid (?:thru|until|to)|ablauf|gultig bis|gultigkeit|date d'?e?.?expiration|validite|caducidad|vencimiento|mm ?\/ ?(?:yy|jj|aa)|有効期限|scadenza|vervaldatum|geldig tot|validade/,
    not: /^(?:.*\b)?(?:month|year|monat|jahr|mois|annee|mes|ano)\b/,
  },
  cardMonth: {
    tokens: ['cc-exp-month'],
    name: /exp.{0,12}(?:month|mm|mon$)|(?:cc|card).?(?:month|mm)|ablaufmonat|mois|expm|^month$|(?:^|\W)mes$/,
    label: /month|monat|\bmois\b|\bmes\b|^mm$/,
    not: /birth|geburt|naissance|nacimiento/,
  },
  cardYear: {
    tokens: ['cc-exp-year'],
    name: /exp.{0,12}(?:year|yy)|(?:cc|card).?(?:year|yy)|ablaufjahr|annee|expy|^year$|(?:^|\W)ano$/,
    label: /year|jahr|annee|\bano\b|^yy(?:yy)?$/,
    not: /birth|geburt|naissance|nacimiento/,
  },
  cardCvc: {
    tokens: ['cc-csc'],
    name: /cvc|cvv|csc|cvn|(?:^|\W)sec(?:code)?$|security.?code|card.?code|verification.?(?:value|code)|prufziffer|cryptogramme|kartenprufnummer/,
    label:
      /cvc|cvv|card (?:verification|validation|security)|(?:last )?(?:3|4|three|four)[ -]digits?|\bcsc\b|security code|card code|verification (?:value|number)|prufziffer|prufnummer|sicherheitscode|cryptogramme|code de securite|codigo de seguridad|セキュリティコード|確認番号|codice di sicurezza|beveiligingscode|codigo de seguranca/,
  },
  cardHolder: {
    tokens: ['cc-name'],
    name: /card.?holder|name.?on.?card|cc.?name|card.?name|karteninhaber|titulaire|titular|cc.?owner|owner/,
    label:
      /name on (?:the )?card|card ?holder|name (?:as it appears|wie auf)|karteninhaber|inhaber|name auf der karte|titulaire|nom (?:sur|figurant|inscrit)|titular|nombre (?:en|que aparece en|de) (?:la )?tarjeta|名義|intestatario|titolare|kaarthouder|naam op|nome (?:sulla|no|impresso)/,
  },
  username: {
    tokens: ['username'],
    name: /user.?name|login(?!.?button)|user.?id|benutzer|identifiant|usuario|account.?name/,
    label:
      /user ?name|user id|login|benutzername|identifiant|usuario|e-?mail or (?:user|phone)|customer number|kundennummer|ユーザー|会員id|nome utente|gebruikersnaam/,
  },
  password: {
    tokens: ['current-password', 'new-password'],
    name: /pass(?:word|wd|code)?$|pwd|passwort|kennwort|mot.?de.?passe|contrasena/,
    label:
      /password|passwort|kennwort|mot de passe|contrasena|パスワード|wachtwoord|senha|palavra-?passe/,
    types: ['password'],
  },
  oneTimeCode: {
    tokens: ['one-time-code'],
    name: /otp|one.?time|verification.?code|auth.?code|2fa|mfa|totp|sms.?code|einmal|^code$|confirm.?code|pin$/,
    label:
      /one-?time|verification code|(?:enter|type) (?:the )?(?:\d.digit )?code|security code (?:we|sent)|code (?:we )?(?:sent|from)|sent (?:you )?(?:a |an )?(?:e-?mail|sms|text|code)|bestatigungscode|einmalcode|sms-?code|code de verification|codigo de verificacion|\d-digit code/,
    not: /postal|zip|promo|coupon|discount|cvc|cvv|card|post ?code|gift|gutschein/,
  },
  coupon: {
    tokens: [],
    name: /coupon|promo|discount|voucher|gutschein|rabatt|reduction|cupon|descuento/,
    label:
      /coupon|promo|discount|voucher|gutschein|rabatt|code (?:de )?reduc|code promo|cupon|descuento|referral|クーポン|kortingscode|buono sconto|codice (?:sconto|promo)|cupom|aktionscode/,
  },
  giftCard: {
    tokens: [],
    name: /gift.?card|giftcard|geschenkkarte|carte.?cadeau|tarjeta.?regalo|loyalty|store.?credit/,
    label:
      /gift ?card|geschenkkarte|carte cadeau|tarjeta (?:de )?regalo|loyalty|bonus ?card|store credit|ギフト(?:カード|券)|ポイント|cadeau(?:bon|kaart)|buono regalo|carta regalo|cartao presente|(?:store|shop) credit|guthaben|membership (?:no|num)/,
  },
  search: {
    tokens: [],
    name: /search|query|^q$|suche|recherche|busca/,
    label:
      /search|suche|recherche|buscar|find (?:a )?(?:product|store)|what are you looking|検索|cerca\b|zoek|pick-?up point near|find .{0,20}near/,
    types: ['search'],
  },
  newsletter: {
    tokens: [],
    name: /newsletter|subscribe|signup.?email|mailing/,
    label:
      /newsletter|subscribe|stay in touch|get (?:\d+%|updates|offers)|exclusive|abonnier|inscrivez|suscrib|be the first|メールマガジン|メルマガ|nieuwsbrief/,
  },
  review: {
    tokens: [],
    name: /review|rating|testimonial|question|bewertung|avis|resena|opinion|comment.?body/,
    label: /review|rating|bewertung|\bavis\b|resena|opinion|ask (?:a |us )|your question|headline/,
  },
  quantity: {
    tokens: [],
    name: /qty|quantity|menge|anzahl|quantite|cantidad|stuck|amount$/,
    label:
      /qty|quantity|menge|anzahl|quantite|cantidad|how many|stuck|pieces|^(?:number of )?(?:copies|pairs|units)\b|数量|個数|quantita|aantal|quantidade/,
  },
  note: {
    tokens: [],
    name: /note|comment|message|instruction|bemerkung|kommentar|remarque|nota|gift.?(?:text|message)|hinweis/,
    label:
      /note|comment|message|instruction|bemerkung|kommentar|anmerkung|hinweis|remarque|nota|comentario|mensaje|備考|コメント|ご要望|opmerking|observac/,
  },
  birthDate: {
    tokens: ['bday'],
    name: /birth|dob|geburt|naissance|nacimiento|bday/,
    label: /birth|geburt|naissance|nacimiento|生年月日|nascita|geboorte|nascimento/,
  },
  taxId: {
    tokens: [],
    name: /vat|tax.?(?:id|no|num)|ust.?id|nif|\bdni\b|siret|cpf|rfc|steuernummer|fiscal/,
    label:
      /vat (?:id|no|num)|tax (?:id|no|num)|ust-?id|\bnif\b|\bdni\b|siret|\bcpf\b|steuernummer|codice fiscale|codice fiscale|partita iva|p\.? ?iva|btw-?n/,
  },
};
