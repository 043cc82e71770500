import {
  type Answer,
  cardFault,
  type HeldOutShop,
  html,
  options,
  pause,
  reply,
  serve,
  to,
} from '../held-out-first/kit.ts';

/*
 * A Brazilian shop: the postcode fills in the street and moves the eye to the number, the tax
 * number of a person is wanted, another way to pay is chosen and cheaper, and the card asks in how
 * many parts (with interest from the fourth on).
 */
const brl = (cents: number) =>
  `R$ ${(cents / 100).toLocaleString('pt-BR', { minimumFractionDigits: 2 })}`;
const unit = 64_990;
const UFS = { RJ: 'Rio de Janeiro', SC: 'Santa Catarina', SP: 'São Paulo' };
const page = (title: string, main: string): Answer =>
  html(
    'pt-BR',
    `${title} · Cumbuca Cozinha`,
    `<header><a href="/">Cumbuca</a><a href="/carrinho">Carrinho</a><a href="/conta">Minha conta</a></header><main>${main}</main><footer>CNPJ 12.345.678/0001-90</footer>`,
    '<meta name="currency" content="BRL"><style>.erro{color:red}.aba{display:none}.aba.on{display:block}</style>',
  );
const row = (id: string, label: string, more = '') =>
  `<div class="campo"><label for="${id}">${label}</label><input id="${id}" name="${id}" ${more}></div>`;

/** Starts the Brazilian shop. */
export function cumbuca(): Promise<HeldOutShop> {
  return serve(['/api/pagar'], async ({ path, query, form, json, session }, shop) => {
    const count = Number(session.get('q') ?? 0);
    const goods = count * unit;
    if (path === '/panela-de-ferro')
      return page(
        'Panela',
        `<h1>Panela de ferro 24 cm</h1><p><s>R$ 799,00</s> <strong>${brl(unit)}</strong></p><p>em até 10x de ${brl(7190)} ou ${brl(Math.round(unit * 0.95))} no Pix</p><form method="post" action="/sacola"><fieldset><legend>Cor</legend><label><input type="radio" name="cor" value="preta"> Preta</label><label><input type="radio" name="cor" value="telha"> Telha</label></fieldset><label>Quantidade <input name="q" value="1" size="2"></label><button>Comprar</button></form><form action="/frete"><label>Calcule o frete <input name="cep" placeholder="CEP"></label><button>OK</button></form>`,
      );
    if (path === '/sacola') {
      if (!form.has('cor')) return to('/panela-de-ferro');
      session.set('q', form.get('q') ?? '1');
      session.set('cor', form.get('cor') ?? '');
      return to('/carrinho');
    }
    if (path === '/carrinho')
      return page(
        'Carrinho',
        count === 0
          ? '<h1>Seu carrinho está vazio</h1>'
          : `<h1>Carrinho</h1><p>Panela de ferro 24 cm (${session.get('cor')}) – ${count} un. – ${brl(goods)}</p><p>Subtotal ${brl(goods)}</p><a href="/">Continuar comprando</a> <a href="/finalizar">Finalizar compra</a>`,
      );
    if (path === '/api/cep') {
      await pause(450);
      return query.get('cep')?.replace('-', '') === '22070011'
        ? reply({
            rua: 'Avenida Atlântica',
            bairro: 'Copacabana',
            cidade: 'Rio de Janeiro',
            uf: 'RJ',
          })
        : reply({});
    }
    if (path === '/finalizar')
      return page(
        'Finalizar',
        `<h1>Finalizar pedido</h1><form id="f" novalidate><h2>Seus dados</h2>${row('nome', 'Nome completo *')}${row('email', 'E-mail *', 'type="email"')}${row('cpf', 'CPF *', 'placeholder="000.000.000-00"')}${row('cel', 'Celular com DDD *', 'type="tel"')}${row('nasc', 'Data de nascimento', 'placeholder="dd/mm/aaaa"')}
<h2>Entrega</h2>${row('cep', 'CEP *', 'maxlength="9" placeholder="00000-000"')}${row('rua', 'Endereço *')}${row('num', 'Número *')}${row('comp', 'Complemento')}${row('bairro', 'Bairro *')}${row('cidade', 'Cidade *')}<div><label for="uf">Estado *</label><select id="uf" name="uf"><option value="">Selecione</option>${options(UFS)}</select></div><div id="fretes"></div>
<h2>Pagamento</h2><p><label><input type="radio" name="pg" value="pix" checked> Pix (5% de desconto)</label></p><p><label><input type="radio" name="pg" value="boleto"> Boleto</label></p><p><label><input type="radio" name="pg" value="cartao"> Cartão de crédito</label></p>
<div class="aba" id="aba">${row('ncartao', 'Número do cartão', 'inputmode="numeric"')}${row('titular', 'Nome impresso no cartão')}${row('val', 'Validade', 'placeholder="MM/AA"')}${row('cvv', 'CVV')}<div><label for="parc">Parcelas</label><select id="parc" name="parc"></select></div></div>
<h2>Resumo</h2><table><tr><td>Produtos</td><td>${brl(goods)}</td></tr><tr><td>Frete</td><td id="fr">a calcular</td></tr><tr id="de"><td>Desconto Pix</td><td>-${brl(Math.round(goods * 0.05))}</td></tr><tr><td>Total</td><td><b id="to"></b></td></tr></table><p class="erro" id="e" role="alert"></p><button>Finalizar pedido</button></form>
<script>const b = (c) => 'R$ ' + (c / 100).toLocaleString('pt-BR', { minimumFractionDigits: 2 }); const goods = ${goods}; let frete;
const soma = () => { const t = goods + (frete || 0), pix = f.pg.value === 'pix'; de.style.display = pix ? '' : 'none'; fr.textContent = frete === undefined ? 'a calcular' : b(frete); const d = pix ? Math.round(goods * 0.05) : 0, n = Number(parc.value || 1), j = f.pg.value === 'cartao' && n > 3 ? Math.round(t * 0.12) : 0; to.textContent = frete === undefined ? '—' : b(t - d + j); };
const parcelas = () => { const t = goods + (frete || 0), was = parc.value; parc.innerHTML = [1, 2, 3, 6, 10].map((n) => '<option value="' + n + '"' + (String(n) === (was || '10') ? ' selected' : '') + '>' + n + 'x de ' + b(Math.round((n > 3 ? t * 1.12 : t) / n)) + (n > 3 ? ' com juros' : ' sem juros') + '</option>').join(''); };
cep.onblur = async () => { if (cep.value.replace(/\\D/g, '').length < 8) return; const a = await (await fetch('/api/cep?cep=' + cep.value)).json(); if (!a.rua) return; rua.value = a.rua; bairro.value = a.bairro; cidade.value = a.cidade; uf.value = a.uf; fretes.innerHTML = '<fieldset><legend>Forma de entrega</legend><label><input type="radio" name="fr" value="2890"> Sedex – 2 dias úteis – ' + b(2890) + '</label><br><label><input type="radio" name="fr" value="1590"> PAC – 7 dias úteis – ' + b(1590) + '</label></fieldset>'; };
f.onchange = (ev) => { if (ev.target.name === 'fr') { frete = Number(ev.target.value); parcelas(); } aba.classList.toggle('on', f.pg.value === 'cartao'); soma(); }; parcelas(); soma();
f.onsubmit = async (ev) => { ev.preventDefault(); const d = Object.fromEntries(new FormData(f)); const falta = ['nome', 'email', 'cpf', 'cel', 'cep', 'rua', 'num', 'bairro', 'cidade', 'uf', 'fr'].filter((k) => !d[k]); if (falta.length) { e.textContent = 'Preencha: ' + falta; return; } if (d.pg !== 'cartao') { e.textContent = 'Somente cartão nesta loja de teste'; return; } const a = await (await fetch('/api/pagar', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(d) })).json(); if (a.erro) e.textContent = a.erro; else location.href = '/obrigado'; };</script>`,
      );
    if (path === '/api/pagar') {
      await pause(400);
      if (cardFault(String(json.ncartao), String(json.val), String(json.cvv)) !== undefined)
        return reply({ erro: 'Cartão recusado' });
      const due = goods + Number(json.fr);
      shop.book.push({
        number: `CB${shop.book.length + 7001}`,
        item: `Panela ${session.get('cor')}`,
        quantity: count,
        total: Number(json.parc) > 3 ? due + Math.round(due * 0.12) : due,
        currency: 'BRL',
        email: String(json.email),
        address: ['nome', 'cpf', 'rua', 'num', 'bairro', 'cep', 'cidade', 'uf']
          .map((name) => json[name])
          .join(' '),
        extras: json.nasc === '' ? [] : ['nascimento'],
        card: String(json.ncartao).slice(-4),
      });
      return reply({});
    }
    if (path === '/obrigado')
      return shop.book.length === 0
        ? to('/carrinho')
        : page(
            'Obrigado',
            `<h1>Obrigado pela sua compra!</h1><p>Pedido recebido: nº CB${7000 + shop.book.length}</p>`,
          );
    return path === '/'
      ? page('Início', '<a href="/panela-de-ferro">Panela de ferro</a>')
      : undefined;
  });
}
