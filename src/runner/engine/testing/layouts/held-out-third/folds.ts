import { doc, missing, money, openStall, type Stall, whole } from './desk.ts';

const streets = [
  { s: 'Linienstraße 12', z: '10178', c: 'Berlin' },
  { s: '12 Mill Lane', z: '97201', c: 'Portland' },
];

const script = `const $=i=>document.getElementById(i);const state={};
function box(el){const b=el.querySelector('[role=combobox]'),l=el.querySelector('[role=listbox]');b.onclick=()=>{l.hidden=!l.hidden;b.setAttribute('aria-expanded',String(!l.hidden))};
 l.onclick=e=>{const o=e.target.closest('[role=option]');if(!o)return;state[el.dataset.k]=o.dataset.v;b.firstChild.textContent=o.textContent;l.querySelectorAll('li').forEach(x=>x.setAttribute('aria-selected',String(x===o)));l.hidden=true;b.setAttribute('aria-expanded','false');total()}}
document.querySelectorAll('.bx').forEach(box);
function total(){const s={std:590,exp:1490}[state.way];if($('tt'))$('tt').textContent=s===undefined?'–':'US$ '+((+document.body.dataset.net+s)/100).toFixed(2)}
function show(n){for(const i of [1,2,3]){$('s'+i).hidden=i!==n;$('h'+i).setAttribute('aria-expanded',String(i===n))}}
function next(n,need){const bad=need.filter(k=>!(k in state?state[k]:($(k)||{}).value));$('m').textContent=bad.length?'Please complete: '+bad.join(', '):'';if(!bad.length)show(n)}
let t;if($('street'))$('street').oninput=()=>{clearTimeout(t);t=setTimeout(async()=>{const a=await(await fetch('/suggest?q='+encodeURIComponent($('street').value))).json();
 $('sg').innerHTML=a.map(x=>'<li role="option" tabindex="-1">'+x.s+', '+x.z+' '+x.c+'</li>').join('');$('sg').hidden=!a.length;
 [...$('sg').children].forEach((li,i)=>li.onmousedown=()=>{$('street').value=a[i].s;$('zip').value=a[i].z;$('town').value=a[i].c;$('sg').hidden=true})},200)};
async function pay(){const b={...state};for(const k of ['mail','fname','lname','street','zip','town','num','exp','cvc'])b[k]=$(k).value;const r=await fetch('/api/complete',{method:'POST',headers:{'content-type':'application/json'},body:JSON.stringify(b)});const a=await r.json();if(!r.ok){$('m').textContent=a.error;return}location.href='/complete?o='+a.id}`;

const list = (key: string, label: string, options: [string, string][]): string =>
  `<div class="bx" data-k="${key}"><span id="l-${key}">${label}</span> <div role="combobox" tabindex="0" aria-labelledby="l-${key}" aria-haspopup="listbox" aria-expanded="false" style="border:1px solid #888;width:14em;padding:4px"><span>Please select</span></div><ul role="listbox" hidden style="border:1px solid #888;width:14em;list-style:none;padding:4px;cursor:pointer">${options.map(([v, t]) => `<li role="option" data-v="${v}">${t}</li>`).join('')}</ul></div>`;

/**
 * An accordion with list boxes of its own making and an address that is suggested while one types.
 */
export const folds = (): Promise<Stall> =>
  openStall('/item/scarf', (call, sales) => {
    const v = call.visitor;
    const net = Number(v.q ?? 1) * 3450;
    if (call.path === '/item/scarf')
      return {
        html: doc(
          'Wool scarf',
          `<h1>Wool scarf</h1><div>US$ 34.50</div>${list('col', 'Colour', [
            ['moss', 'Moss green'],
            ['rust', 'Rust'],
            ['navy', 'Navy blue'],
          ])}<p>Qty <input id="q" type="number" value="1" min="1"></p><button onclick="state.col?location.href='/go?c='+state.col+'&q='+$('q').value:alert('Please pick a colour')">Checkout</button><script>${script}</script>`,
        ),
      };
    if (call.path === '/go') {
      Object.assign(v, { c: call.query.get('c') ?? '', q: call.query.get('q') ?? '1' });
      return { to: '/checkout' };
    }
    if (call.path === '/suggest') {
      const q = (call.query.get('q') ?? '').toLowerCase();
      return {
        json:
          q.length < 4 ? [] : streets.filter((s) => s.s.toLowerCase().startsWith(q.slice(0, 6))),
      };
    }
    if (call.path === '/checkout')
      return {
        html: doc(
          'Checkout',
          `<script>document.body.dataset.net=${net}</script><h1>Checkout</h1><p>${v.q} × Wool scarf, ${v.c}: US$ ${money(net)}</p><p id="m" role="alert"></p>
          <h2><button id="h1" aria-expanded="true" onclick="show(1)">1 You</button></h2><div id="s1"><label>E-mail <input id="mail"></label><br><label>Given name <input id="fname"></label><br><label>Family name <input id="lname"></label><br><button onclick="next(2,['mail','fname','lname'])">Continue</button></div>
          <h2><button id="h2" aria-expanded="false">2 Delivery</button></h2><div id="s2" hidden>${list(
            'land',
            'Country / region',
            [
              ['US', 'United States of America'],
              ['DE', 'Germany'],
              ['JP', 'Japan'],
            ],
          )}<label>Street address <input id="street" autocomplete="off" role="combobox" aria-controls="sg"></label><ul id="sg" role="listbox" hidden></ul><br><label>Postal code <input id="zip"></label><br><label>Town <input id="town"></label>${list(
            'way',
            'Delivery method',
            [
              ['std', 'Standard – US$ 5.90'],
              ['exp', 'Express – US$ 14.90'],
            ],
          )}<button onclick="next(3,['land','street','zip','town','way'])">Continue</button></div>
          <h2><button id="h3" aria-expanded="false">3 Payment</button></h2><div id="s3" hidden><p>Amount due <strong id="tt">–</strong></p><label>Card number <input id="num"></label><br><label>Expiry (MM/YY) <input id="exp"></label><br><label>CVC <input id="cvc"></label><br><button onclick="pay()">Pay now</button></div><script>${script}</script>`,
        ),
      };
    if (call.path === '/api/complete') {
      const b = JSON.parse(call.raw) as Record<string, string>;
      if (!whole(b.num) || !b.exp || !b.cvc)
        return { json: { error: 'Your card data is incomplete' }, status: 400 };
      sales.push({
        item: `scarf ${v.c} ${b.way}`,
        quantity: Number(v.q),
        total: net + (b.way === 'exp' ? 1490 : 590),
        extras: [],
        card: true,
        email: b.mail ?? '',
        address: [b.street, b.zip, b.town, b.land].join(' '),
      });
      return { json: { id: `SC${900 + sales.length}` } };
    }
    if (call.path === '/complete')
      return {
        html: doc('Thanks', `<h1>All done, thank you!</h1><p>Order ID: ${call.query.get('o')}</p>`),
      };
    return missing;
  });
