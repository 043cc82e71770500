import { plainCard } from '../pages-kit.ts';
import type { Handler } from '../test-shop-kit.ts';
import { inPage, type Layout, thanks } from './kit.ts';

/**
 * One search field whose suggestion must be taken (it fills the rest), then a service that asks
 * whether the address is right.
 */
const checkout = inPage(
  'Delivery',
  `<style>.pac{position:absolute;background:#fff;border:1px solid;z-index:5}.pac div{padding:5px;cursor:pointer}</style><main><h1>Delivery address</h1><form id="f" onsubmit="return false"><label>Email<input type="email" name="email"></label><label>First name<input name="fn"></label><label>Last name<input name="ln"></label>
<label for="find">Address</label><div style="position:relative"><input id="find" name="find" autocomplete="off" placeholder="Start typing your address" role="combobox" aria-autocomplete="list" aria-expanded="false" aria-controls="pac"><div id="pac" class="pac" role="listbox" hidden></div></div>
<div id="manual" hidden><label>City<input name="city" readonly></label><label>State<input name="state" readonly></label><label>ZIP<input name="zip" readonly></label></div><button id="next" disabled>Save and continue</button></form></main>
<div id="verify" role="dialog" aria-modal="true" aria-label="Verify your address" style="display:none;position:fixed;inset:15%;background:#fff;border:1px solid;z-index:20"><h2>Verify your address</h2><p>We found a slightly different address.</p><label><input type="radio" name="which" value="suggested" checked> Suggested: 12 Main St Apt 4, San Francisco, CA 94105-1234</label><label><input type="radio" name="which" value="entered"> You entered: 12 Main Street, San Francisco, CA 94105</label><button type="button" id="use">Use selected address</button><button type="button" id="edit">Edit address</button></div>
<script>const f=document.getElementById('f'),pac=document.getElementById('pac');let t;
document.getElementById('find').oninput=(e)=>{clearTimeout(t);const q=e.target.value;t=setTimeout(async()=>{const r=await (await fetch('/suggest?q='+encodeURIComponent(q))).json();pac.innerHTML=r.map((x)=>'<div role="option" data-z="'+x.zip+'" data-c="'+x.city+'" data-s="'+x.state+'" data-l="'+x.line+'"><b>'+x.line+'</b>, <span>'+x.city+', '+x.state+', USA</span></div>').join('');pac.hidden=!r.length;e.target.setAttribute('aria-expanded',String(!!r.length))},200)};
pac.onclick=(e)=>{const o=e.target.closest('[role=option]');if(!o)return;f.find.value=o.dataset.l;f.city.value=o.dataset.c;f.state.value=o.dataset.s;f.zip.value=o.dataset.z;pac.hidden=true;document.getElementById('manual').hidden=false;document.getElementById('next').disabled=false};
document.getElementById('next').onclick=()=>{document.getElementById('verify').style.display='block'};document.getElementById('edit').onclick=()=>{document.getElementById('verify').style.display='none'};
document.getElementById('use').onclick=async()=>{await fetch('/address',{method:'POST',body:new URLSearchParams({...Object.fromEntries(new FormData(f)),which:document.querySelector('[name=which]:checked').value})});location='/pay'}</script>`,
);

const rows = [
  { line: '12 Main Avenue', city: 'Daly City', state: 'CA', zip: '94014' },
  { line: '12 Main Street', city: 'San Francisco', state: 'CA', zip: '94105' },
  { line: '12 Main Street', city: 'Houston', state: 'TX', zip: '77002' },
];

const shop: Handler = ({ path, form, session }, orders) => {
  if (path === '/mug')
    return {
      html: inPage(
        'Mug',
        '<main><h1>Mug</h1><p>$11.00</p><form method="post" action="/bag"><button>Add to bag</button></form></main>',
      ),
    };
  if (path === '/bag')
    return {
      html: inPage(
        'Bag',
        '<main><h1>Your bag</h1><p>Mug $11.00</p><a href="/checkout">Checkout</a></main>',
      ),
    };
  if (path === '/checkout') return { html: checkout };
  if (path === '/suggest') {
    const q = (form.get('q') ?? '').toLowerCase();
    return {
      json:
        q.length < 4 ? [] : rows.filter((row) => row.line.toLowerCase().startsWith(q.slice(0, 7))),
    };
  }
  if (path === '/address') {
    for (const [name, value] of form) session.set(name, value);
    return { json: {} };
  }
  if (path === '/pay')
    return {
      html: inPage(
        'Payment',
        `<main><h1>Payment</h1><form method="post" action="/order">${plainCard}<p>Mug: $11.00</p><p>Total: $11.00</p><button>Pay $11.00</button></form></main>`,
      ),
    };
  if (path !== '/order') return path === '/thanks' ? { html: thanks('M3') } : undefined;
  orders.push({ ...Object.fromEntries(session), ...Object.fromEntries(form) });
  return { to: '/thanks' };
};

export const addresses: Layout = {
  title:
    'an address that must be taken from the suggestions, and a dialog that asks whether it is right',
  path: '/mug',
  shop,
  buys: {
    email: 'ada@example.com',
    fn: 'Ada',
    ln: 'Lovelace',
    find: '12 Main Street',
    city: 'San Francisco',
    zip: '94105',
    which: /./,
  },
};
