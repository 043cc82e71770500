import { withLanguages } from '../../words/languages.ts';

/**
 * Words with which shops and banks say what became of an order, in the languages of the engine and
 * some more.
 */
export const outcomeWords = {
  thanks: withLanguages(
    /thank(?:s| you) for (?:your|the)? ?(?:order|purchase|shopping|buying)|thank you\b|thanks[,!.]|order (?:complete|received)\b|order (?:is |was |has been )?(?:confirmed|placed|received|complete)|your order (?:has been|was|is|number)|your order\b.{0,40}\b(?:confirmed|received|placed|on its way)|we(?:'ve| have) received your order|purchase (?:confirmed|complete)|payment (?:successful|received)|vielen dank|danke\b|bestellung (?:ist |war |wurde )?(?:eingegangen|bestätigt|erfolgreich|aufgegeben)|bestellbestätigung|wir haben (?:deine|ihre) bestellung|merci\b|commande (?:est |a été )?(?:bien )?(?:confirmée|enregistrée|validée|reçue)|gracias\b|pedido (?:ha sido |está |foi )?(?:confirmado|recibido|recebido|realizado|concluído)|grazie\b|ordine (?:è stato )?(?:confermato|ricevuto|completato)|bedankt\b|bestelling (?:is )?(?:ontvangen|geplaatst|bevestigd)|obrigad[oa]\b|tack för|tak for|takk for|kiitos\b|dziękujemy|ありがとうござい|ご注文(?:を承り|番号)|感谢您|谢谢您|감사합니다|спасибо/iu,
    'thanks',
  ),
  /** A heading that says no more than thanks. */
  bareThanks:
    /^(?:many )?(?:thanks?|thank you|danke|merci|gracias|grazie|bedankt|tack|tak|takk|kiitos|obrigad[oa]|dziękuj(?:emy|ę)|děkuj(?:eme|i)|ďakuj(?:eme|em))(?!\p{L})/iu,
  otherThanks:
    /(?:thanks?|thank you|danke|merci|gracias|grazie|bedankt) (?:for|für|pour|por|per|voor) (?:visiting|your (?:visit|interest|patience|feedback|review|message)|subscribing|signing|joining|registering)|(?:tack för|tak for|takk for) (?:att du|at du|(?:ditt|din|dit) (?:besök|besøg|besøk|intress|interess|registrering|tilmelding|påmelding|meddelande|besked|melding))|kiitos (?:vierailusta|käynnistä|rekisteröity|kiinnostuks|viesti)|(?:dziękuj(?:emy|ę)|děkuj(?:eme|i)|ďakuj(?:eme|em))(?: v[áa]m)? za (?:(?:tw[oó]j[aeą]?|v[áa]š[ei]?|vašu) )?(?:wizyt|rejestr|registr|zapis|subskr|přihl|prihl|zainteresow|zájem|záujem|cierpliw|trpěliv|trpezliv|wiadomo|zpráv|správ|opini|hodnoc|hodnote|návšt)/iu,
  refused:
    /prices? (?:has|have) (?:changed|risen|increased|been (?:changed|updated|raised))|total has (?:changed|increased)|(?:card|details|data|number|code) (?:is|are) (?:incomplete|invalid)|declined|(?:was|been|is|were) (?:rejected|refused)|payment (?:has |was |is )?(?:failed|unsuccessful|not (?:successful|accepted|completed|authori[sz]ed|possible))|(?:could|can) ?(?:not|n['’]t) (?:be (?:processed|charged|completed|authori[sz]ed|placed|confirmed|verified)|confirm (?:with|this)|process|complete|take|accept|authori[sz]e)|did not (?:finish|complete|go through|succeed)|insufficient funds|(?:card|code|number|date|payment|cvc|cvv) (?:number |code |date )?(?:has|is|was) (?:expired|wrong|invalid|not valid|incorrect|incomplete)|(?:order|payment) (?:was|has|is|could) (?:not|n't) ?(?:been |be )?(?:placed|completed|processed|successful|charged|confirmed)|not (?:yet )?confirmed the payment|not been charged|(?:not|n't) charged|card cannot be used|card (?:was |is |has )?(?:not|n't) (?:been )?(?:accepted|valid|authori[sz]ed)|(?:check|verify|correct) (?:your |the )?(?:card|payment) (?:details|data|number|information)|(?:prüfen|überprüfen) sie (?:bitte )?ihre (?:karten|zahlungs)|données de carte|vérifiez (?:les informations de )?(?:votre|la) carte|(?:revis[ae]|comprueb[ae]) (?:los )?datos de (?:la|su|tu) tarjeta|dati della carta|abgelehnt|fehlgeschlagen|nicht (?:belastet|ausgeführt|durchgeführt|aufgegeben|akzeptiert|erfolgreich|abgeschlossen)|nicht (?:verarbeitet|bestätigt) werden|refusée?\b|échoué|(?:n['’]a|n['’]ont) pas (?:pu |été )|pas été (?:débité|effectué|validé)|rechazad|denegad|no se ha (?:podido|realizado|cobrado|completado)|fallid[oa]|rifiutat|non (?:è |e )?(?:riuscit|andat|stato possibile)|geweigerd|mislukt|niet (?:gelukt|afgeschreven|verwerkt)|nekad|avvisad|avvist|afvist|odrzucon|recusad|拒否|承認され(?:ませ|な)|失敗|отклон/iu,
  /** What a form lacks; counts in an alert that came with the click. */
  missing:
    /^(?:please|you (?:must|need|have) |bitte|veuillez|merci de|por favor|debes?\b|devi\b|per favore|gelieve|vul |kies |selecteer |controleer |ga akkoord|choisissez|sélectionnez|saisissez|cochez|acceptez|elige |elija |seleccion[ae] |introdu[cz]|acepte?a? |scegli|seleziona|inserisci|accetta |preencha|selecione|escolha|informe |aceite )|してください|されていません|\b(?:required|pflichtfeld|obligatoire|obligatori[oa]|verplicht|obrigat[oó]ri[oa])\b|(?:accept|agree to|akzeptieren|zustimmen|accepter|aceptar|accettare|accepteer) .{0,40}(?:terms|conditions|agb|bedingungen|condiciones|condizioni|voorwaarden)/iu,
  /** Counts where the page speaks of this order: in an alert or its heading. */
  soldOut: withLanguages(
    /sold out|out of stock|no longer available|ausverkauft|nicht mehr (?:verfügbar|lieferbar)|épuisé|rupture de stock|agotado|esaurito|uitverkocht|売り切れ|在庫切れ/iu,
    'soldOut',
  ),
  challenge:
    /3-?d ?-?secure|3ds|verified by visa|securecode|identity check|safekey|secure (?:authentication|payment check)|confirm .*(?:with|in) your bank|banking app|authenticat(?:e|ion)|is this you|ihre bank|\btan\b|freigabe|bestätigen sie die zahlung|votre banque|authentification|su banco|autentic|la tua banca|uw bank|din bank|本人認証/iu,
} as const;
