/** Words of shops in English, German, French and Spanish. Each expression has one meaning. */
export const words = {
  addToCart:
    /add (?:\w+ )?to (?:your |my |the )?(?:cart|bag|basket|trolley|order)|add (?:cart|item|it)\b|put in (?:cart|basket)|in den (?:waren|einkaufs)korb|in die (?:tasche|einkaufstasche)|zum warenkorb hinzuf|hinzufügen|ajouter (?:au|à) (?:mon )?(?:panier|sac)|mettre au panier|ajouter|(?:añadir|agregar|anadir) (?:al? )?(?:mi )?(?:carrito|cesta|bolsa)|a la cesta|añadir|agregar|^in den korb|^to (?:cart|basket|bag)$/i,
  buyNow: /buy (?:it )?now|^buy$|order now|purchase|sofort ?kaufen|jetzt kaufen|^kaufen$|acheter|comprar/i,
  cart: /(?:view|go to|show|open|your|my|shopping|see)? ?(?:shopping )?(?:cart|bag|basket|trolley)\b|warenkorb|einkaufswagen|einkaufskorb|panier|carrito|cesta/i,
  checkout:
    /check ?out|zur kasse|\bkasse\b|proceed to (?:order|purchase)|bestellung (?:fortsetzen|aufgeben)|bestellen|commander|passer (?:la |ma |à la )?(?:commande|caisse)|valider (?:mon |le )?panier|finaliser|tramitar|realizar (?:el )?pedido|finalizar (?:la )?compra|ir a (?:la )?caja|pagar|secure checkout/i,
  place:
    /place (?:my |your |the |an )?order|complete (?:my |your |the )?(?:order|purchase|checkout)|submit (?:my |your )?order|confirm (?:(?:my |your |the )?(?:order|purchase|payment)|and pay|& pay)|order now|buy now|purchase now|^(?:pay|order|buy|purchase)\b|pay now|make payment|finish (?:order|purchase)|order (?:and|&) pay|order with obligation|(?:zahlungs|kosten)pflichtig|jetzt (?:kaufen|bestellen|bezahlen|zahlen)|bestellung (?:abschicken|aufgeben|abschließen|absenden|bestätigen)|kauf(?:en| abschließen)|^bezahlen|^bestellen|^commander\b|payer|(?:valider|confirmer|passer|finaliser) (?:la |ma |et )?(?:commande|paiement|payer)|commande avec obligation|(?:realizar|confirmar|hacer|enviar|finalizar|completar) (?:el |la |mi )?(?:pedido|compra|pago)|pagar|comprar ahora/i,
  continue:
    /continue|\bnext\b|proceed|save (?:and|&) |use this address|(?:deliver|ship) to this|to (?:shipping|payment|delivery|review)|go to |review (?:your |my )?order|select payment|choose (?:shipping|payment)|weiter|fortfahren|fortsetzen|nächst|zur (?:zahlung|versand|lieferung|übersicht|prüfung)|speichern und|continuer|suivant|poursuivre|étape|aller|continuar|siguiente|seguir|guardar y|^(?:save|confirm|ok|apply|done|speichern|bestätigen|enregistrer|guardar|confirmar|confirmer|übernehmen|submit)$/i,
  review: /review|überprüf|prüfen|übersicht|zusammenfassung|vérif|récapitul|revis|resumen/i,
  guest:
    /guest|without (?:an? )?(?:account|registration|login)|no account|als gast|\bgast\b|ohne (?:registrierung|anmeldung|konto|kundenkonto)|invité|sans (?:compte|inscription)|invitado|sin (?:cuenta|registro|registrarse)/i,
  login: /log ?-?in|sign ?-?in|anmelden|einloggen|login|se connecter|connexion|s'identifier|iniciar sesi[oó]n|acceder|entrar/i,
  register:
    /create (?:an? )?account|register|sign ?-?up|registrieren|konto (?:anlegen|erstellen)|créer un compte|s'inscrire|crear (?:una )?cuenta|registrar/i,
  forgot: /forgot|vergessen|oublié|olvid/i,
  cookieRefuse:
    /reject|refuse|decline|deny|only (?:necessary|essential|required)|(?:necessary|essential)(?: cookies)? only|essential only|ablehnen|nur (?:notwendige|erforderliche|essenzielle)|verweigern|refuser|rechazar|denegar|sólo necesarias|solo (?:las )?necesarias|continue without|sans accepter/i,
  close:
    /^(?:×|✕|✖|x|close|dismiss|no thanks?|not now|maybe later|later|skip|schließen|nein danke|später|fermer|non merci|plus tard|cerrar|no,? gracias|ahora no|got it|ok|okay|verstanden|compris|entendido|accept|continue|stay here)(?: .{0,16})?$/i,
  cookieAccept: /accept|agree|allow|got it|\bok\b|akzeptieren|zustimmen|einverstanden|alle erlauben|accepter|aceptar|de acuerdo/i,
  cookie: /cookie|consent|datenschutz-?einstellung|tracking|traceurs|privacy (?:settings|choices)/i,
  remove: /remove|delete|entfernen|löschen|supprimer|retirer|enlever|eliminar|quitar|borrar|^(?:×|✕|✖|🗑)$/i,
  update: /update|recalculate|refresh|aktualisieren|mettre à jour|actualiser|actualizar/i,
  wishlist:
    /wish|favou?rit|merk(?:en|zettel|liste)|wunsch|souhait|envies|deseos|save for later|compare|vergleich|compar(?:er|ar)\b|notify|share|gift registry/i,
  terms:
    /terms|conditions|agb\b|geschäftsbedingungen|widerruf|datenschutz|privacy|cgv|condiciones|términos|confidentialité|privacidad|i (?:have read|agree|accept)|politique|legal age|18/i,
  marketing:
    /newsletter|marketing|offers?\b|promotion|news\b|updates|deals|subscribe to|e-?mail me|text me|sms|angebote|neuigkeiten|werbung|infos? per|offres|actualités|nouveautés|ofertas|novedades|publicidad|boletín|partners?\b|third part/i,
  extra:
    /insurance|protect|warranty|gift ?(?:wrap|box|message)|donat|tip\b|round up|carbon|offset|climate|priority|membership|club|plus\b|subscri|auto-?renew|extended|versicherung|garantie|geschenk|spende|abo\b|mitglied|assurance|emballage cadeau|don\b|abonnement|seguro|garantía|regalo|donaci|suscrip/i,
  sameAddress:
    /same as|billing (?:address )?(?:is )?(?:the )?same|use (?:my )?(?:shipping|delivery)|identisch|gleich(?:e)? (?:wie|der)?|entspricht|rechnungsadresse (?:ist|wie)|identique|même adresse|la misma|misma dirección|igual (?:a|que)/i,
  accountBox:
    /create (?:an? )?account|save (?:my|this|for|card|payment|info)|remember|konto (?:anlegen|erstellen)|speichern|merken|créer un compte|enregistrer|mémoriser|crear (?:una )?cuenta|guardar|recordar/i,
  card: /(?:credit|debit|bank|payment)[\s/-]*(?:or debit )?card|^cards?\b|\bcard\b(?! ?(?:gift))|kredit ?karte|debitkarte|\bkarte\b|carte (?:bancaire|de crédit|bleue)|\bcarte\b|tarjeta|visa|mastercard/i,
  giftCard: /gift|geschenk|cadeau|regalo|loyalty|bonus|prepaid/i,
  shippingMethod:
    /shipping (?:method|option|speed)|delivery (?:method|option|speed)|how .*(?:deliver|ship)|shipping|delivery|versand|liefer|zustell|livraison|expédition|mode de|envío|entrega|carrier/i,
  paymentMethod: /payment|pay (?:with|by)|zahlung|zahlart|bezahl|paiement|pago/i,
  express: /express|fast|next[- ]day|overnight|priority|premium|schnell|eil|rapide|urgent|rápid/i,
  pickup: /pick ?-?up|collect|abhol|filiale|retrait|point relais|recog|in[- ]store/i,
  recurring:
    /subscri(?:be (?:&|and) save|ption)|auto-?(?:renew|ship|delivery)|renews? (?:every|each|monthly|annual|at|auto)|recurring|billed (?:monthly|annually|every|yearly)|(?:per|every|each|\/) ?(?:month|week|year|mo\b|yr\b)|monthly (?:charge|payment|fee)|monatlich|jährlich|(?:pro|im|\/) ?(?:monat|jahr)|\babo\b|abonnement|mensuel|par mois|\/ ?mois|suscripci[oó]n|mensual|al mes|cada mes/i,
  oneTime: /one[- ]?(?:time|off)|single (?:purchase|order)|einmal|unique|achat unique|compra única|una vez|no subscription/i,
  thanks:
    /thank(?:s| you) for (?:your|the)? ?(?:order|purchase|shopping|buying)|thank you\b|thanks,|order (?:complete|received)\b|order (?:is |was |has been )?(?:confirmed|placed|received|complete)|your order (?:has been|was|is|number)|your order\b.{0,40}\b(?:confirmed|received|placed|on its way)|we(?:'ve| have) received your order|purchase (?:confirmed|complete)|payment (?:successful|received)|vielen dank|danke für|bestellung (?:ist |war )?(?:eingegangen|bestätigt|erfolgreich)|bestellbestätigung|wir haben (?:deine|ihre) bestellung|merci (?:pour|de)|commande (?:est |a été )?(?:confirmée|enregistrée|validée)|gracias por|pedido (?:ha sido )?(?:confirmado|recibido|realizado)/i,
  declined:
    /declined|was rejected|payment (?:has )?failed|could not be (?:processed|charged)|insufficient funds|abgelehnt|fehlgeschlagen|refusé|échoué|rechazad|denegad/i,
  human:
    /verify (?:that )?you(?:'re| are) (?:a )?human|are you (?:a )?(?:human|robot)|i(?:'m| am) not a robot|not a robot|human verification|security check|captcha|ich bin kein roboter|mensch sind|je ne suis pas un robot|no soy un robot|unusual traffic|checking your browser/i,
  threeDs:
    /3-?d ?-?secure|3ds|verified by visa|securecode|identity check|safekey|confirm .*(?:with|in) your bank|your bank|banking app|authenticat|ihre bank|tan\b|freigabe|votre banque|su banco|autentic/i,
  emptyCart:
    /(?:cart|bag|basket) is (?:currently )?empty|nothing in your|warenkorb ist leer|panier est vide|carrito (?:está )?vacío|cesta está vacía|no items in/i,
  soldOut:
    /sold out|out of stock|unavailable|currently not available|ausverkauft|nicht (?:verfügbar|auf lager|lieferbar)|épuisé|rupture de stock|indisponible|agotado|no disponible|sin stock/i,
} as const;

/** Lower case, without accents and with single spaces: for comparing what people type with what shops show. */
export function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/ß/g, 'ss')
    .replace(/[ø]/gi, 'o')
    .replace(/[\s\u00a0_]+/g, ' ')
    .trim()
    .toLowerCase();
}
