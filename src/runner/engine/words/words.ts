import { anyOf, withLanguages, wordLists } from './languages.ts';

/** Words that shops write, whatever their language. Each expression has one meaning. */
const mixed = {
  /** A whole line that only says that something is still to come. */
  loading:
    /^(?:(?:now |still )?loading|(?:please |just )?(?:wait|hold on)(?: (?:a|one) (?:moment|second))?|(?:just )?(?:a|one) (?:moment|second)|processing|(?:(?:die )?(?:seite|daten) |es )?(?:wird|werden) (?:geladen|verarbeitet)|(?:(?:die )?seite |es )?lädt|laden?(?=.*[.…])|bitte (?:einen (?:moment|augenblick) )?warten|(?:bitte )?einen (?:kleinen )?(?:moment|augenblick)|(?:en cours de )?chargement(?: en cours)?|veuillez patienter|patientez|un instant|(?:traitement )en cours|cargando|(?:por favor,? )?espere(?:,? por favor)?|(?:por favor,? )?un momento(?:,? por favor)?|procesando|caricamento(?: in corso)?|(?:si prega di )?attendere(?: prego)?|attendi|un attimo|(?:nog )?even geduld(?: a\.?u\.?b)?|(?:bezig met |aan het )laden|wordt geladen|een (?:moment|ogenblik)(?: geduld)?|carregando|(?:por favor,? )?aguarde|(?:ただいま)?(?:読み?込み?|ロード|処理)(?:んで(?:い)?ます|中(?:です)?)|(?:しばらく|少々)?お待ち(?:ください|下さい)(?:ませ)?)(?:(?:[ ,][\p{L}\p{N} ,'’-]{1,50})[.…。・！!]+|\s*[.…。・！!]*)$/iu,
  /** Opens the fields of an address beside a finder of addresses. */
  manualAddress:
    /(?:enter|type|add|fill in) (?:(?:your|my|an|the|it|full) )*(?:address )?(?:manually|by hand|yourself)|manual(?:ly)? (?:address|enter|entry)|(?:can'?t|cannot|can’t) find (?:your|my|the) address|(?:my )?address (?:is )?not listed|adresse (?:manuell|selbst) (?:eingeben|eintragen)|manuell eingeben|(?:saisir|entrer) (?:(?:l['’]|mon |votre )?adresse )?manuellement|adresse introuvable|(?:introducir|escribir|añadir) (?:(?:la|mi|tu|una) )?(?:dirección )?(?:manualmente|a mano)|(?:inserisci|inserire) (?:l['’]indirizzo )?manualmente|(?:adres )?handmatig (?:invoeren|invullen)|(?:inserir|digitar|preencher) (?:o )?(?:endereço )?manualmente|(?:住所を)?(?:手動|手入力|直接)(?:で)?入力/i,
  /** Among saved addresses, the way to enter one. */
  newAddress:
    /(?:another|different|new|other) (?:\w+ )?(?:address|one)|add (?:a |an )?(?:new )?address|andere (?:liefer)?adresse|neue (?:liefer)?adresse|autre adresse|nouvelle adresse|otra direcci|nueva direcci|altro indirizzo|nuovo indirizzo|ander adres|nieuw adres/i,
  /** From what was put aside. */
  moveToCart:
    /move (?:it |item )?(?:back )?(?:in)?to (?:your |my |the )?(?:cart|bag|basket|trolley)/i,
  addToCart:
    /add (?:\w+ )?to (?:your |my |the )?(?:cart|bag|basket|trolley|order)|add cart\b|put in (?:cart|basket)|in den (?:waren|einkaufs)korb|in die (?:tasche|einkaufstasche)|zum warenkorb hinzuf|ajouter (?:au|à) (?:mon )?(?:panier|sac)|mettre au panier|(?:añadir|agregar|anadir) (?:al? )?(?:mi )?(?:carrito|cesta|bolsa)|a la cesta|^in den korb|^to (?:cart|basket|bag)$|aggiungi (?:al|alla)|(?:in|naar) (?:mijn |de )?winkel(?:wagen|mand)|toevoegen aan|adicionar (?:ao|à)|カート(?:に|へ)(?:入れる|追加)|(?:買い物)?[かカ][ごゴ]に入れる|バッグに(?:入れる|追加)/i,
  buyNow:
    /buy (?:it )?now|^buy$|order now|purchase|sofort ?kaufen|jetzt kaufen|^kaufen$|acheter|comprar|今すぐ(?:購入|買う)|^購入する$|acquista ora|koop nu|nu kopen|comprar agora/i,
  cart: /(?:view|go to|show|open|your|my|shopping|see)? ?(?:shopping )?(?:cart|bag|basket|trolley)\b|warenkorb|einkaufswagen|einkaufskorb|panier|carrito|cesta|carrello|winkel(?:wagen|mand)|carrinho|カート|買い物かご/i,
  checkout:
    /check ?out|zur kasse|\bkasse\b|proceed to (?:order|purchase)|^order (?:these|this|it|them|all|the (?:items?|lot))\b|(?:^|go )to (?:the )?till\b|bestellung (?:fortsetzen|aufgeben)|bestellen|commander|passer (?:la |ma |à la )?(?:commande|caisse)|valider (?:mon |le )?panier|finaliser|tramitar|realizar (?:el )?pedido|finalizar (?:la )?compra|ir a (?:la )?caja|pagar|secure checkout|レジ(?:に|へ)進む|(?:購入|注文)手続|お会計|procedi all|(?:vai )?alla cassa|afrekenen|(?:naar (?:de )?)?kassa\b|verder naar bestellen|fechar pedido|finalizar (?:a )?compra/i,
  place:
    /place (?:my |your |the |an )?order|complete (?:my |your |the )?(?:order|purchase|checkout)|submit (?:my |your )?order|confirm (?:(?:my |your |the )?(?:order|purchase|payment)|and pay|& pay)|order now|buy now|purchase now|^(?:pay|order|buy|purchase)\b|pay now|make payment|finish (?:order|purchase)|order (?:and|&) pay|order with obligation|(?:zahlungs|kosten)pflichtig|jetzt (?:kaufen|bestellen|bezahlen|zahlen)|bestellung (?:abschicken|aufgeben|abschließen|absenden|bestätigen)|kauf(?:en| abschließen)|^bezahlen|^bestellen|^commander\b|payer|(?:valider|confirmer|passer|finaliser) (?:la |ma |et )?(?:commande|paiement|payer)|commande avec obligation|(?:realizar|confirmar|hacer|enviar|finalizar|completar) (?:el |la |mi )?(?:pedido|compra|pago)|pagar|comprar ahora|注文を?(?:確定|完了)|注文する|購入を?(?:確定|完了)|支払(?:う|いを確定)|この内容で注文|(?:conferma|invia|effettua|completa) (?:l.)?(?:ordine|acquisto|pagamento)|^acquista\b|^paga\b|ordina e paga|bestelling (?:plaatsen|bevestigen|afronden)|plaats (?:je |uw )?bestelling|^(?:nu )?betalen|^betaal\b|(?:fazer|concluir|confirmar) (?:o |a )?(?:pedido|compra|pagamento)/i,
  continue:
    /continue|\bnext\b|proceed|save (?:and|&) |use this address|(?:deliver|ship) to this|to (?:shipping|payment|delivery|review)|go to |review (?:your |my )?order|select payment|choose (?:shipping|payment)|weiter|fortfahren|fortsetzen|nächst|zur (?:zahlung|versand|lieferung|übersicht|prüfung)|speichern und|continuer|suivant|poursuivre|étape|aller|continuar|siguiente|seguir|guardar y|^(?:save|confirm|ok|apply|done|speichern|bestätigen|enregistrer|guardar|confirmar|confirmer|übernehmen|submit)$|次へ|次に進む|進む$|続ける|続行|確認画面|内容を?確認|avanti|prosegui|continua\b|procedi|vai (?:al|alla|ai) (?!carrello)|passer (?:au|à la|à l['’])|(?:ir|pasar) al (?:pago|envío)|zum? (?:bezahlen|bezahlung)|naar (?:de )?(?:betaling|betalen|bezorging)|volgende|verder|doorgaan|ga door|seguinte|próximo|prosseguir|avançar|use (?:the )?(?:selected|suggested|this|recommended) (?:address|suggestion)/i,
  review:
    /review|überprüf|prüfen|übersicht|zusammenfassung|vérif|récapitul|revis|resumen|確認|riepilog|controleren|overzicht|resumo/i,
  guest:
    /guest|without (?:an? )?(?:account|registration|login)|no account|als gast|\bgast\b|ohne (?:registrierung|anmeldung|konto|kundenkonto)|invité|sans (?:compte|inscription)|invitado|sin (?:cuenta|registro|registrarse)|sans créer|sin crear|ohne (?:ein |neues )?(?:kunden)?konto|without (?:creating|signing|logging|registering)|会員登録(?:せず|しない|なし)|ゲスト|ospite|senza (?:registra|account)|zonder (?:account|registr)|convidado|sem (?:cadastr|regist|conta)/i,
  login:
    /log ?-?in|sign ?-?in|anmelden|einloggen|login|se connecter|connexion|s'identifier|iniciar sesi[oó]n|acceder|entrar|ログイン|accedi|inloggen|aanmelden/i,
  register:
    /create (?:an? )?account|register|sign ?-?up|registrieren|konto (?:anlegen|erstellen)|créer un compte|s'inscrire|crear (?:una )?cuenta|registrar|会員登録(?!せず|しない|なし)|新規登録|registrati|crea (?:un )?(?:account|profilo)|account aanmaken|registreren|cadastr|criar (?:uma )?conta/i,
  /** The whole caption of what leads to the customer's account. */
  account:
    /^(?:my |your |customer )?(?:account|profile)$|^(?:mein |kunden)?konto$|^(?:mon )?compte$|^(?:mi )?cuenta$|^(?:il mio )?account$|^(?:mijn )?account$|^(?:a )?(?:minha )?conta$|^マイページ$/i,
  forgot: /forgot|vergessen|oublié|olvid|忘れ|dimenticat|vergeten|esquec/i,
  cookieRefuse:
    /reject|refuse|decline|deny|only (?:necessary|essential|required)|(?:necessary|essential)(?: cookies)? only|essential only|ablehnen|nur (?:notwendige|erforderliche|essenzielle)|verweigern|refuser|rechazar|denegar|sólo necesarias|solo (?:las )?necesarias|continue without|sans accepter|拒否|rifiuta|weiger|afwijzen|alleen (?:noodzakelijke|functionele)|recusar|rejeitar|solo (?:i )?(?:cookie )?necessari|alle ablehnen|disagree/i,
  close:
    /^(?:×|✕|✖|x|close|dismiss|no thanks?|not now|maybe later|later|skip|schließen|nein danke|später|fermer|non merci|plus tard|cerrar|no,? gracias|ahora no|got it|ok|okay|verstanden|compris|entendido|accept|continue|stay here|stay (?:on|in|at) .{2,40}|閉じる|chiudi|no,? grazie|sluiten|nee,? (?:bedankt|dank)|fechar|não,? obrigad[oa]|いいえ|スキップ)(?: .{0,16})?$/i,
  /** The choice of nothing extra. */
  none: /^(?:no\b|none|without|not? |0 ?%|kein|ohne|nein|aucun|sans|non\b|ningun|sin |nessun|senza|geen|zonder|nenhum|sem |なし|不要)/i,
  /** One that the shop has found against one that was typed. */
  suggested:
    /suggest|recommend|we found|standardi[sz]ed|vorgeschlagen|vorschlag|gefunden|propos|sugerid|consigliat|voorgesteld/i,
  entered:
    /entered|as typed|original|keep (?:my|mine|this)|your address|eingegeben|eingabe|saisie|introducid|inserit|ingevoerd/i,
  /** Says no to an offer and goes on. */
  decline:
    /^(?:no,? thank|no,? (?:i|continue|just|skip)\b|no$|skip|not (?:now|today|interested)|maybe later|(?:continue|proceed|checkout|check out|order) without|without (?:adding|protection|extras)|decline|nein,? danke|nicht jetzt|ohne .{0,40}(?:fortfahren|weiter)|überspringen|weiter ohne|non,? merci|passer cette|continuer sans|ignorer|no,? gracias|omitir|continuar sin|saltar|いいえ|スキップ|nee,? (?:bedankt|dank)|overslaan|verder zonder|no,? grazie|continua senza|salta|não,? obrigad|pular)/i,
  /** How old somebody is: only the user can say so. */
  age: /(?:are you|i am|i'm|must be|you're) (?:over |at least |aged )?(?:1[68]|2[01])|legal (?:drinking |smoking )?age|age (?:verification|check|gate)|verify your age|(?:over|at least) (?:1[68]|2[01])\b|(?:1[68]|2[01]) ?(?:\+|years|or (?:older|over))|(?:über|mindestens|bereits) (?:1[68]|2[01])|(?:1[68]|2[01]) jahre|volljährig|altersprüfung|plus de (?:1[68]|2[01])|(?:1[68]|2[01]) ans|majeur|mayor de (?:edad|1[68]|2[01])|(?:1[68]|2[01]) años|maggiorenne|(?:1[68]|2[01]) anni|(?:1[68]|2[01]) jaar|maior de (?:idade|1[68])|(?:18|20)歳以上|未成年/i,
  home: /deliver|home|ship\b|shipping|\bto (?:my|your|an) address|liefer|nach hause|zuhause|versand|domicile|livraison|domicilio|envío|a casa|consegna|bezorg|thuis|entrega|宅配|自宅|配送/i,
  cookieAccept:
    /accept|agree|allow|got it|\bok\b|akzeptieren|zustimmen|einverstanden|alle erlauben|accepter|aceptar|de acuerdo|同意|許可|accett|accepteren|akkoord|aceitar/i,
  cookie:
    /cookie|consent|datenschutz-?einstellung|tracking|traceurs|privacy (?:settings|choices)|クッキー/i,
  remove:
    /remove|delete|entfernen|löschen|supprimer|retirer|enlever|eliminar|quitar|borrar|^(?:×|✕|✖|🗑)$|削除|rimuovi|verwijder|remover|excluir/i,
  update:
    /update|recalculate|refresh|aktualisieren|mettre à jour|actualiser|actualizar|更新|再計算|aggiorna|bijwerken|atualizar/i,
  wishlist:
    /wish|favou?rit|merk(?:en|zettel|liste)|wunsch|souhait|envies|deseos|save for later|compare|vergleich|compar(?:er|ar)\b|notify|share|gift registry|お気に入り|ほしい物|desideri|verlanglijst|favoriet|favorit/i,
  terms:
    /terms|conditions|agb\b|geschäftsbedingungen|widerruf|datenschutz|privacy|cgv|condiciones|términos|confidentialité|privacidad|i (?:have read|agree|accept)|politique|利用規約|規約|同意|個人情報|termini|condizioni|accetto|voorwaarden|akkoord|termos|aceito/i,
  marketing:
    /newsletter|marketing|offers?\b|promotion|news\b|updates|deals|subscribe to|e-?mail me|text me|sms|angebote|neuigkeiten|werbung|infos? per|offres|actualités|nouveautés|ofertas|novedades|publicidad|boletín|partners?\b|third part|メールマガジン|メルマガ|お知らせ|ニュースレター|offerte|novità|aanbieding|nieuwsbrief|novidades|promoç/i,
  extra:
    /\bextras\b|add-?ons?\b|breakage|(?:damage|loss|theft|return) cover|insurance|protect|warranty|gift ?(?:wrap|box|message)|donat|tip\b|round up|carbon|offset|climate|priority|membership|club|plus\b|subscri|auto-?renew|extended|versicherung|garantie|geschenk|spende|abo\b|mitglied|assurance|emballage cadeau|don\b|abonnement|seguro|garantía|regalo|donaci|suscrip|ギフト|のし|ラッピング|保険|延長保証|寄付|assicurazione|garanzia|confezione|donazione|verzekering|inpakken|donatie|doação|emballage|trinkgeld|pourboire|propina/i,
  sameAddress:
    /same as|billing (?:address )?(?:is )?(?:the )?same|use (?:my )?(?:shipping|delivery)|identisch|gleich(?:e)? (?:wie|der)?|entspricht|rechnungsadresse (?:ist|wie)|identique|même adresse|la misma|misma dirección|igual (?:a|que)|同じ|uguale|stesso indirizzo|hetzelfde|zelfde|mesm[oa] (?:morada|endereço|que)/i,
  accountBox:
    /create (?:an? )?account|save (?:my|this|for|card|payment|info)|remember|konto (?:anlegen|erstellen)|speichern|merken|créer un compte|enregistrer|mémoriser|crear (?:una )?cuenta|guardar|recordar|会員登録|保存する|salva\b|account aanmaken|opslaan|bewaar|criar (?:uma )?conta|salvar/i,
  card: /(?:credit|debit|bank|payment)[\s/-]*(?:or debit )?card|^cards?\b|\bcard\b(?! ?(?:gift))|kredit ?karte|debitkarte|\bkarte\b|carte (?:bancaire|de crédit|bleue)|\bcarte\b|tarjeta|visa|mastercard|クレジット|カード決済|carta di (?:credito|debito)|creditcard|kaart\b|cartão/i,
  giftCard:
    /gift|geschenk|cadeau|regalo|loyalty|bonus|prepaid|ギフト|ポイント|store credit|guthaben|regalo|cadeaubon|vale/i,
  shippingMethod:
    /shipping (?:method|option|speed)|delivery (?:method|option|speed)|how .*(?:deliver|ship)|shipping|delivery|versand|liefer|zustell|livraison|expédition|mode de|envío|entrega|carrier|配送|お届け|spedizione|consegna|verzend|bezorg|levering|entrega|frete/i,
  paymentMethod:
    /payment|pay (?:with|by)|zahlung|zahlart|bezahl|paiement|pago|支払|pagamento|betaal|betaling/i,
  express:
    /express|fast|next[- ]day|overnight|priority|premium|schnell|eil|rapide|urgent|rápid|お急ぎ|速達|espresso|spoed|expresso|24 ?h/i,
  pickup:
    /pick ?-?up|collect|abhol|filiale|retrait|point relais|recog|in[- ]store|受け?取り|(?:ritiro|ritira) (?:in|presso)|afhal|ophal|retirar|levantamento|packstation|locker|parcel shop|punto de|point of collection|in[- ]?store|store pickup/i,
  recurring:
    /subscri(?:be (?:&|and) save|ption)|auto-?(?:renew|ship|delivery)|renews? (?:every|each|monthly|annual|at|auto)|recurring|billed (?:monthly|annually|every|yearly)|(?:per|every|each|\/) ?(?:month|week|year|mo\b|yr\b)|monthly (?:charge|payment|fee)|monatlich|jährlich|(?:pro|im|\/) ?(?:monat|jahr)|\babo\b|abonnement|mensuel|par mois|\/ ?mois|suscripci[oó]n|mensual|al mes|cada mes|定期(?:購入|便|お届け)|毎月|abbonamento|mensile|al mese|maandelijks|per maand|assinatura|mensal|por mês/i,
  oneTime:
    /one[- ]?(?:time|off)|single (?:purchase|order)|einmal|unique|achat unique|compra única|una vez|no subscription|今回のみ|1回(?:のみ|だけ)|都度購入|通常購入|una tantum|singol|eenmalig|única vez/i,
  thanks:
    /thank(?:s| you) for (?:your|the)? ?(?:order|purchase|shopping|buying)|thank you\b|thanks,|order (?:complete|received)\b|order (?:is |was |has been )?(?:confirmed|placed|received|complete)|your order (?:has been|was|is|number)|your order\b.{0,40}\b(?:confirmed|received|placed|on its way)|we(?:'ve| have) received your order|purchase (?:confirmed|complete)|payment (?:successful|received)|vielen dank|danke für|bestellung (?:ist |war )?(?:eingegangen|bestätigt|erfolgreich)|bestellbestätigung|wir haben (?:deine|ihre) bestellung|merci (?:pour|de)|commande (?:est |a été )?(?:confirmée|enregistrée|validée)|gracias por|pedido (?:ha sido )?(?:confirmado|recibido|realizado)|(?:注文|購入|買い上げ).{0,14}ありがとう|注文(?:が|を)?(?:完了|受け付け|承り)|grazie per|ordine (?:è stato )?(?:confermato|ricevuto|effettuato)|bedankt voor|bestelling (?:is )?(?:geplaatst|ontvangen|bevestigd)|obrigad[oa] p(?:or|ela)|pedido (?:foi )?(?:recebido|confirmado|realizado)/i,
  declined:
    /declined|was rejected|payment (?:has )?failed|could not be (?:processed|charged)|insufficient funds|abgelehnt|fehlgeschlagen|refusé|échoué|rechazad|denegad|rifiutat|geweigerd|mislukt|recusad|承認されません|拒否されました/i,
  human:
    /verify (?:that )?you(?:'re| are) (?:a )?human|are you (?:a )?(?:human|robot)|i(?:'m| am) not a robot|not a robot|human verification|security check|captcha|ich bin kein roboter|mensch sind|je ne suis pas un robot|no soy un robot|unusual traffic|checking your browser|ロボットでは|non sono un robot|geen robot|não sou um robô/i,
  threeDs:
    /3-?d ?-?secure|3ds|verified by visa|securecode|identity check|safekey|confirm .*(?:with|in) your bank|your bank|banking app|authenticat|ihre bank|tan\b|freigabe|votre banque|su banco|autentic/i,
  emptyCart:
    /(?:cart|bag|basket) is (?:currently )?empty|nothing in your (?:shopping )?(?:cart|bag|basket)|warenkorb ist leer|panier est vide|carrito (?:está )?vacío|cesta está vacía|no items in (?:your |the )?(?:shopping )?(?:cart|bag|basket)|カートは空|カートに(?:商品|何も).{0,6}(?:ありません|入っていません)|carrello è vuoto|winkelwagen is leeg|carrinho (?:está )?vazio/i,
  soldOut:
    /sold out|out of stock|unavailable|currently not available|ausverkauft|nicht (?:verfügbar|auf lager|lieferbar)|épuisé|rupture de stock|indisponible|agotado|no disponible|sin stock|売り切れ|在庫(?:なし|切れ|がありません)|品切れ|esaurit|non disponibile|uitverkocht|niet (?:op voorraad|leverbaar|beschikbaar)|esgotado|indisponível/i,
  /** In place of an amount that is still to come; beside shipping or tax only. */
  amountLater:
    /(?:calculated|added|determined) (?:at|in|on|during) (?:the )?(?:next|checkout|later|following|final)|calculated (?:later|after|once)|(?:still )?(?:to be|not yet) (?:determined|calculated|confirmed|announced)|\btb[dac]\b|calculating|pending\b|(?:wird|werden) (?:noch |später |anschließend |an der kasse |im (?:nächsten|folgenden) schritt |nach .{3,40} |bei .{3,30} )?(?:berechnet|ermittelt)|im nächsten schritt|noch (?:offen|nicht (?:bekannt|berechnet))|calcul[ée]e?s? (?:à|a|lors|au|après|dans|ultérieurement|plus tard)|(?:à|reste à) (?:calculer|déterminer|définir)|se calcular?[áa]?n? (?:en|al|a|después|más)|calculad[oa]s? (?:en|al|no|na|depois|después)|(?:por|a) (?:calcular|determinar|definir|confirmar)|calcolat[oaie] (?:al|nel|alla|in|dopo)|da (?:calcolare|determinare|definire)|(?:wordt|worden) (?:nog |later |bij .{3,30} |in .{3,30} )?berekend|berekend (?:bij|in|tijdens)|nog te (?:bepalen|berekenen)|次の(?:ステップ|画面|手順|ページ).{0,6}(?:計算|表示)|未定|後で計算|計算されます/i,
  /** In place of an amount that waits for the address. */
  addressFirst:
    /(?:enter|add|provide|fill in|type|complete) (?:in )?(?:your |an? |the |valid )*(?:full |complete )?(?:shipping |delivery |valid )?(?:address|postcode|post ?code|zip)|(?:needs?|requires?|waiting for|depends on) (?:your |an? |the )?(?:shipping |delivery )?address|adresse (?:eingeben|angeben|eintragen|erforderlich)|(?:geben|gib) (?:sie )?(?:bitte )?(?:ihre|deine|eine) .{0,16}adresse|nach (?:eingabe|angabe) der .{0,16}adresse|(?:saisissez|entrez|renseignez|indiquez|saisir|ajoutez) (?:votre|une|l['’]) ?adresse|(?:introdu(?:ce|zca|cir)|ingres[ae]|escrib[ae]|añad[ae]|indi(?:ca|que)) (?:tu|su|una|la) dirección|inseri(?:sci|re) (?:il tuo |il |un )?indirizzo|vul (?:je|uw|een|het) .{0,16}adres|adres invullen|(?:insira|informe|digite) (?:o |seu |o seu )?endereço|住所を(?:入力|ご入力)/i,
} as const;

/** The same with the words that are kept by language. */
export const words: Readonly<Record<keyof typeof mixed, RegExp>> = Object.fromEntries(
  Object.entries(mixed).map(([name, rule]) => [
    name,
    name in wordLists
      ? withLanguages(rule, name as keyof typeof wordLists & keyof typeof mixed)
      : rule,
  ]),
) as Record<keyof typeof mixed, RegExp>;

/**
 * Lower case, without accents and with single spaces: for comparing what people type with what
 * shops show.
 */
export function plain(text: string): string {
  return (
    text
      .normalize('NFKD')
      // Only the accents of Latin letters: those of Japanese and others make other letters.
      .replace(/[\u0300-\u036f]/g, '')
      .normalize('NFC')
      .replace(/ß/g, 'ss')
      .replace(/[ø]/gi, 'o')
      .replace(/[\s\u00a0_]+/g, ' ')
      .trim()
      .toLowerCase()
  );
}

const no = new RegExp(anyOf(wordLists.no), 'iu');

/** Whether a caption says no and nothing else. */
export const isBareNo = (caption: string): boolean =>
  no.test(caption) && !/\p{L}/u.test(caption.replace(no, ''));

const again = new RegExp(`(?<!\\p{L})(?:${anyOf(wordLists.again)})`, 'u');
const rhythm = new RegExp(`(?<!\\p{L})(?:${anyOf(wordLists.rhythm)})`, 'u');
/** Whether a text says that something comes, or is paid for, again and again. */
export const comesAgain = (text: string): boolean =>
  words.recurring.test(text) || again.test(plain(text));
/** Whether a choice of how something is bought does: “Weekly” in a sentence may be an offer. */
export const isPlan = (choice: string): boolean => comesAgain(choice) || rhythm.test(plain(choice));

/**
 * Whether a text names `part` in whole words: “M” is named by “Blue Mug, M” and not by “Blue Mug”.
 * Spelling and accents do not count.
 */
export function namesWhole(text: string, part: string): boolean {
  const wanted = plain(part).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return (
    wanted !== '' && new RegExp(`(?<![\\p{L}\\d])${wanted}(?![\\p{L}\\d])`, 'u').test(plain(text))
  );
}
