import { randomBytes } from 'node:crypto';
import {
  type Answer,
  type Ask,
  cardFault,
  esc,
  type HeldOutShop,
  html,
  options,
  serve,
  to,
} from './kit.ts';

/*
 * A French shop with CSRF marks in every form: the way to the till is a login, the guest's way lies
 * behind a link that opens a form; the login fails the first time; TVA and the way of delivery
 * change the total.
 */
const PAYS = { FR: 'France', BE: 'Belgique', DE: 'Allemagne', US: 'États-Unis', GB: 'Royaume-Uni' };
const WAYS: Record<string, [string, number]> = {
  relais: ['Point relais Mondial Relay (3-5 jours)', 390],
  colissimo: ['Colissimo à domicile (2-3 jours)', 690],
  chrono: ['Chronopost 24 h', 1490],
};

/** 4250 as "42,50 €". */
function eur(cents: number): string {
  return `${(cents / 100).toFixed(2).replace('.', ',')}&nbsp;€`;
}

/** Starts the French shop; `guests` false leaves the login as the only way. */
export function lavande(guests = true, password = 'Provence-2024'): Promise<HeldOutShop> {
  let failed = false;
  function page(title: string, main: string): Answer {
    return html(
      'fr',
      `${title} – Maison Lavande`,
      `<div class="top">Livraison offerte dès 80 € d'achat</div><header><a href="/">Maison Lavande</a> <a href="/connexion">Mon compte</a> <a href="/panier">Panier</a></header><main>${main}</main><footer><form action="/lettre" method="post"><p>Recevez notre lettre</p><input type="email" name="newsletter_email" placeholder="Votre adresse e-mail"><button>S'inscrire</button></form></footer>`,
      '<meta itemprop="priceCurrency" content="EUR"><style>.cache{display:none}</style>',
    );
  }
  function mark(session: Ask['session']): string {
    const token = session.get('token') ?? randomBytes(6).toString('hex');
    session.set('token', token);
    return `<input type="hidden" name="_token" value="${token}">`;
  }
  function due(session: Ask['session']): {
    goods: number;
    ship: number;
    total: number;
    count: number;
  } {
    const count = Number(session.get('qte') ?? 0);
    const goods = count * (session.get('format') === '500' ? 4250 : 2490);
    const ship = goods >= 8000 ? 0 : (WAYS[session.get('mode') ?? '']?.[1] ?? 0);
    return { goods, ship, total: goods + ship, count };
  }
  function door(session: Ask['session'], fault = ''): Answer {
    return page(
      'Identification',
      `<h1>Identification</h1>${fault === '' ? '' : `<div class="alerte" role="alert">${fault}</div>`}
<form method="post" action="/connexion">${mark(session)}<h2>Déjà client ?</h2><label for="log">Adresse e-mail</label><input id="log" name="identifiant" type="email"><label for="mdp">Mot de passe</label><input id="mdp" name="mdp" type="password"><a href="/oubli">Mot de passe oublié ?</a><button>Se connecter</button></form>
${
  guests
    ? `<p><a href="#" id="inv">Continuer sans créer de compte</a></p><form method="post" action="/invite" class="cache" id="invf">${mark(session)}<label>Votre e-mail <input name="email_invite" type="email"></label><button>Poursuivre ma commande</button></form>
<script>document.getElementById('inv').onclick = (e) => { e.preventDefault(); document.getElementById('invf').classList.remove('cache'); };</script>`
    : '<p>Nouveau client ? <a href="/inscription">Créer un compte</a></p>'
}`,
    );
  }
  function place(session: Ask['session'], fault = ''): Answer {
    return page(
      'Livraison',
      `<ol><li>Panier</li><li><b>Livraison</b></li><li>Paiement</li></ol><div role="alert">${fault}</div><form method="post" action="/livraison">${mark(session)}
<fieldset><legend>Civilité</legend><input type="radio" name="civ" id="c1" value="1"><label for="c1">Madame</label><input type="radio" name="civ" id="c2" value="2"><label for="c2">Monsieur</label></fieldset>
<div><label for="p">Prénom *</label><input id="p" name="prenom"></div><div><label for="n">Nom *</label><input id="n" name="nom"></div>
<div><label for="a1">Adresse *</label><input id="a1" name="adr1" placeholder="Numéro et nom de rue"></div><div><label for="a2">Complément d'adresse</label><input id="a2" name="adr2" placeholder="Bâtiment, étage…"></div>
<div><label for="cp">Code postal *</label><input id="cp" name="cp"></div><div><label for="v">Ville *</label><input id="v" name="ville"></div>
<div><label for="py">Pays *</label><select id="py" name="pays">${options(PAYS, 'FR')}</select></div><div><label for="t">Téléphone portable *</label><input id="t" name="tel"><small>Pour le suivi de votre colis</small></div>
<h2>Mode de livraison</h2>${Object.entries(WAYS)
        .map(
          ([id, [name, cost]]) =>
            `<div class="mode"><input type="radio" name="mode" id="m-${id}" value="${id}"${id === 'chrono' ? ' checked' : ''}><label for="m-${id}">${name}</label> <span>${eur(cost)}</span></div>`,
        )
        .join('')}
<div><input type="checkbox" id="cad" name="cadeau" value="1"><label for="cad">Emballage cadeau (+ 4,00&nbsp;€)</label></div>
<button>Valider et passer au paiement</button></form>`,
    );
  }
  function pay(session: Ask['session'], fault = ''): Answer {
    const sum = due(session);
    return page(
      'Paiement',
      `<ol><li>Panier</li><li>Livraison</li><li><b>Paiement</b></li></ol><div role="alert">${fault}</div>
<aside><h3>Récapitulatif</h3><p>${sum.count} x Huile d'olive ${session.get('format') === '500' ? '50 cl' : '25 cl'} : ${eur(sum.goods)}</p><p>Frais de port : ${sum.ship === 0 ? 'offerts' : eur(sum.ship)}</p><p>dont TVA 5,5 % : ${eur(Math.round(sum.total - sum.total / 1.055))}</p><p class="total">Montant total TTC : <strong>${eur(sum.total)}</strong></p></aside>
<form method="post" action="/paiement">${mark(session)}<div><label for="cb">Numéro de carte bancaire</label><input id="cb" name="cb" autocomplete="off"></div><div><label for="ex">Date d'expiration (MM/AA)</label><input id="ex" name="exp" placeholder="MM/AA"></div><div><label for="cr">Cryptogramme visuel</label><input id="cr" name="crypto" maxlength="3"></div><div><label for="ti">Titulaire de la carte</label><input id="ti" name="titulaire"></div>
<div><input type="checkbox" id="cgv" name="cgv"><label for="cgv">J'ai lu et j'accepte les conditions générales de vente</label></div><button>Commander et payer</button></form>`,
    );
  }
  return serve(['/paiement'], ({ method, path, form, session }, shop) => {
    if (method === 'POST' && path !== '/lettre' && form.get('_token') !== session.get('token'))
      return { status: 419, body: 'Page expirée' };
    if (path === '/huile-olive') {
      return page(
        "Huile d'olive",
        `<h1>Huile d'olive vierge extra</h1><p class="prix" id="px">24,90&nbsp;€</p><form method="post" action="/panier/ajouter">${mark(session)}<label for="fmt">Contenance</label><select id="fmt" name="format"><option value="250">25 cl – 24,90 €</option><option value="500">50 cl – 42,50 €</option></select>
<div class="qte"><button type="button" aria-label="Diminuer la quantité" id="mo">−</button><input name="qte" value="1" readonly aria-label="Quantité" id="q"><button type="button" aria-label="Augmenter la quantité" id="pl">+</button></div><button>Ajouter au panier</button></form>
<script>pl.onclick = () => { q.value = Math.min(5, Number(q.value) + 1); }; mo.onclick = () => { q.value = Math.max(1, Number(q.value) - 1); }; fmt.onchange = () => { px.innerHTML = fmt.value === '500' ? '42,50&nbsp;€' : '24,90&nbsp;€'; };</script>`,
      );
    }
    if (path === '/panier/ajouter') {
      session.set('format', form.get('format') ?? '250');
      session.set('qte', form.get('qte') ?? '1');
      return to('/panier');
    }
    if (path === '/panier') {
      const sum = due(session);
      return page(
        'Panier',
        sum.count === 0
          ? '<h1>Votre panier est vide</h1>'
          : `<h1>Mon panier</h1><p>Huile d'olive ${session.get('format') === '500' ? '50 cl' : '25 cl'} — quantité : ${sum.count} — ${eur(sum.goods)}</p><p>Sous-total : ${eur(sum.goods)}</p><a href="/commande">Valider mon panier</a>`,
      );
    }
    if (path === '/commande') return session.has('qui') ? to('/livraison') : door(session);
    if (path === '/connexion' && method === 'POST') {
      if (!failed || form.get('mdp') !== password) {
        failed = true;
        return door(session, 'Identifiant ou mot de passe incorrect.');
      }
      session.set('qui', form.get('identifiant') ?? '');
      return to('/livraison');
    }
    if (path === '/connexion') return door(session);
    if (path === '/invite') {
      if (!(form.get('email_invite') ?? '').includes('@'))
        return door(session, 'Adresse e-mail invalide.');
      session.set('qui', form.get('email_invite') ?? '');
      return to('/livraison');
    }
    if (path === '/livraison' && method === 'POST') {
      const missing = ['civ', 'prenom', 'nom', 'adr1', 'cp', 'ville', 'pays', 'tel', 'mode'].filter(
        (name) => (form.get(name) ?? '') === '',
      );
      if (missing.length > 0) return place(session, `Champs obligatoires : ${missing.join(', ')}`);
      session.set('mode', form.get('mode') ?? '');
      session.set('cadeau', form.get('cadeau') ?? '');
      session.set(
        'adresse',
        ['prenom', 'nom', 'adr1', 'cp', 'ville', 'pays', 'tel']
          .map((name) => form.get(name))
          .join(' '),
      );
      return to('/paiement');
    }
    if (path === '/livraison') return session.has('qui') ? place(session) : to('/commande');
    if (path === '/paiement' && method === 'POST') {
      if (!form.has('cgv'))
        return pay(session, 'Veuillez accepter les conditions générales de vente.');
      if (
        cardFault(form.get('cb') ?? '', form.get('exp') ?? '', form.get('crypto') ?? '') !==
        undefined
      )
        return pay(session, 'Carte refusée : vérifiez les informations saisies.');
      const sum = due(session);
      const number = `ML${7301 + shop.book.length}`;
      shop.book.push({
        number,
        item: `Huile ${session.get('format')}`,
        quantity: sum.count,
        total: sum.total,
        currency: 'EUR',
        email: session.get('qui') ?? '',
        address: session.get('adresse') ?? '',
        extras: session.get('cadeau') === '1' ? ['cadeau'] : [],
        card: (form.get('cb') ?? '').slice(-4),
      });
      session.delete('qte');
      session.set('numero', number);
      return to('/merci');
    }
    if (path === '/paiement') return pay(session);
    if (path === '/merci')
      return page(
        'Merci',
        `<h1>Merci pour votre commande</h1><p>Votre commande n° ${esc(session.get('numero') ?? '')} a bien été enregistrée.</p>`,
      );
    return undefined;
  });
}
