import { doc, missing, money, openStall, type Stall, whole } from './desk.ts';

/**
 * No quantity anywhere; the buttons sleep through their first click ('sleepy'), or the order's
 * request is sent twice by the page itself ('twice').
 */
export const stubborn = (mode: 'sleepy' | 'twice'): Promise<Stall> =>
  openStall('/mug', (call, sales) => {
    const v = call.visitor;
    const n = Number(v.n ?? 0);
    const sleepy = mode === 'sleepy';
    const wake = (what: string): string =>
      sleepy ? `onclick="if(!this.awake){this.awake=1;return false}${what}"` : `onclick="${what}"`;
    if (call.path === '/mug')
      return {
        html: doc(
          'Mug',
          `<h1>Enamel mug</h1><p>$ 9.-</p><p>In your bag: <span id="n">${n}</span></p><button ${wake("fetch('/bag',{method:'POST'}).then(r=>r.json()).then(a=>{document.getElementById('n').textContent=a.n;document.getElementById('to').hidden=false})")}>Add to bag</button> <a id="to" href="/pay"${n ? '' : ' hidden'}>View bag and pay</a>`,
        ),
      };
    if (call.path === '/bag') {
      v.n = String(n + 1);
      return { json: { n: n + 1 } };
    }
    const sum = n * 900 + 450;
    if (call.path === '/pay')
      return {
        html: doc(
          'Bag',
          `<h1>Bag</h1><ul><li>Enamel mug × ${n}: $${money(n * 900)}</li><li>Postage: $4.50</li></ul><p>Order total: $${money(sum)}</p><form id="f"><input name="name" placeholder="Name"><input name="email" placeholder="Email"><input name="street" placeholder="Street address"><input name="city" placeholder="City"><input name="state" placeholder="State"><input name="zip" placeholder="ZIP code"><select name="country"><option value="">Country</option><option>Austria</option><option>Germany</option><option>United States</option></select><br><input name="card" placeholder="Card number"><input name="exp" placeholder="MM / YY"><input name="cvc" placeholder="CVC"></form><p id="w"></p><button ${wake('go()')}>Pay now</button>
          <script>async function post(){return fetch('/api/buy',{method:'POST',headers:{'content-type':'application/x-www-form-urlencoded'},body:new URLSearchParams(new FormData(document.getElementById('f')))})}
          async function go(){let r;try{r=await post()}catch{}${sleepy ? '' : 'try{const s=await post();r=s.ok?s:r}catch{}'}if(!r){document.getElementById('w').textContent='Network trouble';return}const a=await r.json();if(a.wrong){document.getElementById('w').textContent=a.wrong;return}document.body.innerHTML='<h1>Thanks a bunch</h1><p>Order #'+a.id+' is on its way to the packing table.</p>'}</script>`,
        ),
      };
    if (call.path === '/api/buy') {
      const f = call.form;
      for (const k of ['name', 'email', 'street', 'city', 'zip', 'country', 'card', 'exp', 'cvc'])
        if (!f.get(k)) return { json: { wrong: `${k} is missing` } };
      sales.push({
        item: 'mug',
        quantity: n,
        total: sum,
        extras: [],
        card: whole(f.get('card')),
        email: f.get('email') ?? '',
        address: ['street', 'zip', 'city', 'country'].map((k) => f.get(k)).join(' '),
      });
      return { json: { id: 31_000 + sales.length } };
    }
    return missing;
  });
