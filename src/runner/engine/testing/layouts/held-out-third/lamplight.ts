import { doc, missing, openStall, type Stall, whole } from './desk.ts';

const ship: Record<string, number> = { slow: 490, fast: 1250, pick: 0 };
const euro = (cents: number): string => `${(cents / 100).toFixed(2).replace('.', ',')} €`;

/**
 * One page: the total comes late by fetch, again after every change of the delivery, and the button
 * waits for it.
 */
export const lamplight = (): Promise<Stall> =>
  openStall('/lamp', async (call, sales) => {
    if (call.path === '/lamp')
      return {
        html: doc(
          'Lamp Nine',
          `<h1>Lamp Nine</h1><p>29,90 €</p><form action="/buy"><fieldset><legend>Shade</legend>${[
            'Sand',
            'Coal',
            'Mint',
          ]
            .map(
              (s) =>
                `<label><input type="radio" name="shade" value="${s[0]}" required> ${s}</label>`,
            )
            .join(
              ' ',
            )}</fieldset><label>How many? <input type="number" name="n" value="1" min="1" max="9"></label> <input type="submit" value="Buy now"></form>`,
        ),
      };
    if (call.path === '/buy') {
      const n = Number(call.query.get('n'));
      return {
        html: doc(
          'Order',
          `<h1>Order</h1><p>${n} x Lamp Nine (${call.query.get('shade')})</p><div id="f">
          <p><label>Your e-mail<br><input id="em" type="email"></label></p><p><label>First name<br><input id="fn"></label></p><p><label>Last name<br><input id="ln"></label></p>
          <p><label>Street and number<br><input id="sn"></label></p><p><label>Postcode<br><input id="pc"></label></p><p><label>Town<br><input id="tw"></label></p>
          <p><label>Country<br><select id="ctry"><option value="">-</option><option value="DE">Germany</option><option value="FR">France</option><option value="US">United States</option></select></label></p>
          <p>Delivery<br><label><input type="radio" name="d" value="slow"> Post, 3-5 days</label><br><label><input type="radio" name="d" value="fast"> Courier, tomorrow</label></p>
          <p><label>Card number<br><input id="k1" inputmode="numeric"></label></p><p>Valid until <select id="k2" aria-label="Month">${Array.from({ length: 12 }, (_, i) => `<option>${String(i + 1).padStart(2, '0')}</option>`).join('')}</select> / <select id="k3" aria-label="Year">${Array.from({ length: 10 }, (_, i) => `<option>${2026 + i}</option>`).join('')}</select></p><p><label>CVC<br><input id="k4" maxlength="4"></label></p>
          <p>Total: <b id="sum">choose a delivery</b></p><p id="err" style="color:#a00"></p><button id="go" disabled onclick="send()">Order and pay</button></div>
          <script>let sum=0,turn=0;const $=i=>document.getElementById(i);
          document.querySelectorAll('[name=d]').forEach(r=>r.onchange=async()=>{const my=++turn;$('go').disabled=true;$('sum').textContent='…';
            const a=await(await fetch('/sum?n=${n}&d='+r.value)).json();if(my!==turn)return;sum=a.sum;$('sum').textContent=a.text;$('go').disabled=false});
          async function send(){$('go').disabled=true;const b={d:document.querySelector('[name=d]:checked').value,sum};for(const i of ['em','fn','ln','sn','pc','tw','ctry','k1','k2','k3','k4'])b[i]=$(i).value;
            const r=await fetch('/pay?n=${n}&s=${call.query.get('shade')}',{method:'POST',body:JSON.stringify(b)});const a=await r.json();
            if(!r.ok){$('err').textContent=a.problem;$('go').disabled=false;return}document.body.innerHTML='<h2>Thank you for your order</h2><p>Order no. '+a.no+'</p><p>We have charged '+a.text+'</p>'}</script>`,
        ),
      };
    }
    const n = Number(call.query.get('n'));
    if (call.path === '/sum') {
      await new Promise((done) => setTimeout(done, 900));
      const sum = n * 2990 + (ship[call.query.get('d') ?? ''] ?? 0);
      return { json: { sum, text: euro(sum) } };
    }
    if (call.path === '/pay') {
      const b = JSON.parse(call.raw) as Record<string, string>;
      const sum = n * 2990 + (ship[b.d ?? ''] ?? 0);
      const lacking = Object.keys(b).filter((k) => b[k] === '');
      if (lacking.length)
        return { json: { problem: `Please fill in: ${lacking.join(', ')}` }, status: 422 };
      sales.push({
        item: `lamp ${call.query.get('s')} ${b.d}`,
        quantity: n,
        total: sum,
        extras: [],
        card: whole(b.k1),
        email: b.em ?? '',
        address: [b.sn, b.pc, b.tw, b.ctry].join(' '),
      });
      return { json: { no: `L${5000 + sales.length}`, text: euro(sum) } };
    }
    return missing;
  });
