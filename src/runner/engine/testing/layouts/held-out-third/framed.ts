import { createServer } from 'node:http';
import { doc, listen, missing, money, openStall, type Stall, whole } from './desk.ts';

/** What the bank's letter holds in the frame of its challenge. */
export const bankCode = '8831';

const cardFrame = doc(
  'Secure fields',
  `<div><label for="p">Card number</label><input id="p" inputmode="numeric"></div><div><label for="m">MM</label><input id="m" size="2"> <label for="y">YY</label><input id="y" size="2"></div><div><label for="c">CVV</label><input id="c" size="4"></div>
  <script>addEventListener('message',async e=>{if(e.data!=='tokenise')return;const g=i=>document.getElementById(i).value;const r=await fetch('/vault',{method:'POST',body:JSON.stringify({p:g('p'),m:g('m'),y:g('y'),c:g('c')})});parent.postMessage(await r.json(),'*')})</script>`,
);
const bankFrame = doc(
  'Your bank',
  `<h3>Confirm your payment</h3><p>Your bank has sent you a code by text message.</p><form onsubmit="event.preventDefault();document.getElementById('k').value==='${bankCode}'?parent.postMessage({bank:'ok'},'*'):document.getElementById('w').textContent='Wrong code'"><label>Code <input id="k"></label><button>Submit</button></form><p id="w"></p>`,
);

/**
 * The card is typed into a frame of another origin that answers with a token; the bank asks for a
 * code in a second frame.
 */
export async function framed(): Promise<Stall> {
  const tokens = new Set<string>();
  const vault = createServer((req, res) => {
    if (req.url === '/fields')
      return void res.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(cardFrame);
    if (req.url?.startsWith('/challenge'))
      return void res.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(bankFrame);
    let raw = '';
    req.on('data', (d) => (raw += d));
    req.on('end', () => {
      const b = JSON.parse(raw || '{}') as Record<string, string>;
      const good =
        whole(b.p) &&
        /^\d\d?$/.test(b.m ?? '') &&
        /^\d\d$/.test(b.y ?? '') &&
        /^\d{3,4}$/.test(b.c ?? '');
      const token = `tok_${tokens.size + 1}`;
      if (good) tokens.add(token);
      res
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify(good ? { token } : { bad: 'Card details are incomplete' }));
    });
  });
  const other = (await listen(vault)).replace('127.0.0.1', 'localhost');
  const stall = await openStall(
    '/boots',
    (call, sales) => {
      const v = call.visitor;
      const f = call.form;
      const sum = Number(v.q ?? 1) * 119_000;
      if (call.path === '/boots')
        return {
          html: doc(
            'Hill boots',
            `<h1>Hill boots</h1><p>1,190.00 USD</p><form action="/you"><label>EU size <select name="s"><option>41</option><option>42</option><option>43</option></select></label> <label>Pairs <input name="q" type="number" value="1"></label> <button>Order</button></form>`,
          ),
        };
      if (call.path === '/you' && call.method === 'GET') {
        Object.assign(v, { s: call.query.get('s') ?? '', q: call.query.get('q') ?? '1' });
        return {
          html: doc(
            'Your details',
            `<h1>Your details</h1><form method="post"><label>E-mail address<input name="e" required></label><br><label>Your name<input name="n" required></label><br><label>Street<input name="s" required></label><br><label>City<input name="c" required></label><br><label>State / province<input name="r"></label><br><label>Zip code<input name="z" required></label><br><label>Country<select name="l"><option value="USA">United States</option><option value="CAN">Canada</option><option value="DEU">Germany</option></select></label><br><button>On to payment</button></form>`,
          ),
        };
      }
      if (call.path === '/you') {
        Object.assign(v, {
          mail: f.get('e') ?? '',
          addr: ['s', 'z', 'c', 'l'].map((k) => f.get(k)).join(' '),
        });
        return { to: '/payment' };
      }
      if (call.path === '/payment')
        return {
          html: doc(
            'Payment',
            `<h1>Payment</h1><p>${v.q} pair(s) of Hill boots, size ${v.s}</p><p>Delivery: free</p><p>Total: 1,190.00 USD</p><iframe src="${other}/fields" title="Card" width="400" height="160"></iframe><p id="e"></p><button id="b">Pay ${money(sum)} USD</button>
            <div id="d"></div><script>const b=document.getElementById('b');b.onclick=()=>{b.disabled=true;document.querySelector('iframe').contentWindow.postMessage('tokenise','*')};
            addEventListener('message',async e=>{if(e.data.bad){document.getElementById('e').textContent=e.data.bad;b.disabled=false}
            if(e.data.token){const r=await(await fetch('/charge',{method:'POST',body:JSON.stringify({token:e.data.token})})).json();if(r.challenge)document.getElementById('d').innerHTML='<iframe title="3-D Secure" width=400 height=260 src="'+r.challenge+'"></iframe>'}
            if(e.data.bank){const r=await(await fetch('/finish',{method:'POST',body:'{}'})).json();location.href=r.next}})</script>`.replace(
              '1,190.00 USD</p><iframe',
              `${money(sum)} USD</p><iframe`,
            ),
          ),
        };
      if (call.path === '/charge') {
        const token = (JSON.parse(call.raw) as { token: string }).token;
        if (!tokens.delete(token)) return { json: { error: 'no such token' }, status: 400 };
        v.held = 'yes';
        return { json: { challenge: `${other}/challenge` } };
      }
      if (call.path === '/finish') {
        if (!v.held) return { json: { error: 'nothing held' }, status: 400 };
        sales.push({
          item: `boots ${v.s}`,
          quantity: Number(v.q),
          total: sum,
          extras: [],
          card: true,
          email: v.mail ?? '',
          address: v.addr ?? '',
        });
        return { json: { next: `/bye?id=HB${sales.length}77` } };
      }
      if (call.path === '/bye')
        return {
          html: doc(
            'Thanks',
            `<h1>Payment received</h1><p>Thanks! Order ${call.query.get('id')}</p>`,
          ),
        };
      return missing;
    },
    [vault],
  );
  return { ...stall, pay: other };
}
