import type { Handler } from '../test-shop-kit.ts';
import { inPage, type Layout } from './kit.ts';

/**
 * One page whose script draws everything, in open shadow roots; inputs have neither names nor
 * labels.
 */
const app = `
const css='<style>:host{display:block;margin:6px 0}input,button.box{width:300px;height:34px}ul{list-style:none;padding:0;margin:0;border:1px solid;background:#fff}li{padding:5px;cursor:pointer}</style>';
class XField extends HTMLElement{connectedCallback(){this.attachShadow({mode:'open'}).innerHTML=css+'<div class="wrap"><input placeholder="'+this.getAttribute('hint')+'"><span class="err"></span></div>';this.input=this.shadowRoot.querySelector('input');this.input.oninput=()=>{state[this.getAttribute('key')]=this.input.value}}}
class XSelect extends HTMLElement{connectedCallback(){const r=this.attachShadow({mode:'open'});const rows=JSON.parse(this.getAttribute('rows'));r.innerHTML=css+'<div id="l">'+this.getAttribute('hint')+'</div><button class="box" role="combobox" aria-haspopup="listbox" aria-expanded="false" aria-labelledby="l">'+(this.getAttribute('start')||'Select')+'</button><ul role="listbox" hidden>'+rows.map((x)=>'<li role="option" data-value="'+x[0]+'">'+x[1]+'</li>').join('')+'</ul>';const b=r.querySelector('button'),u=r.querySelector('ul');b.onclick=()=>{u.hidden=!u.hidden;b.setAttribute('aria-expanded',String(!u.hidden))};u.onclick=(e)=>{if(!e.target.dataset.value)return;b.textContent=e.target.textContent;u.hidden=true;state[this.getAttribute('key')]=e.target.dataset.value;this.dispatchEvent(new CustomEvent('pick',{bubbles:true,composed:true}))}}}
class XButton extends HTMLElement{connectedCallback(){this.attachShadow({mode:'open'}).innerHTML=css+'<button><slot></slot></button>'}}
customElements.define('x-field',XField);customElements.define('x-select',XSelect);customElements.define('x-button',XButton);
const state={quantity:0};const host=document.getElementById('app').attachShadow({mode:'open'});
const field=(key,hint)=>'<x-field key="'+key+'" hint="'+hint+'"></x-field>';
const list=(key,hint,rows,start)=>"<x-select key='"+key+"' hint='"+hint+"' rows='"+JSON.stringify(rows)+"' start='"+(start||'')+"'></x-select>";
const go=(path)=>{history.pushState({},'',path);draw()};
const views={
'/item/7':()=>'<h1>Trail Bottle</h1><p>€15.00</p>'+list('colour','Colour',[['g','Green'],['r','Red']])+'<div class="stepper"><x-button id="less">−</x-button><output>'+1+'</output><x-button id="more">+</x-button></div><x-button id="add">Add to bag</x-button>',
'/bag':()=>'<h1>Your bag</h1><div role="list"><div role="listitem">Trail Bottle <span>€15.00</span> × <span>'+state.quantity+'</span></div></div><x-button id="go">Go to checkout</x-button>',
'/checkout':()=>'<h1>Checkout</h1><section><h2>Where to?</h2>'+list('country','Country',[['FR','France'],['DE','Germany'],['US','United States']])+field('name','Full name')+field('mail','Email')+field('street','Street and number')+field('zip','Postcode')+field('town','City')+field('tel','Mobile (optional)')+'</section><section id="ways"></section><section><h2>Card</h2>'+field('number','Card number')+field('exp','MM/YY')+field('cvc','CVC')+'</section><section class="sum"><div><span>Bottle</span><span>€'+15*state.quantity+'.00</span></div><div><span>Delivery</span><span id="d">–</span></div><div><span>Total</span><span id="t">–</span></div></section><x-button id="pay">Pay</x-button>',
'/done':()=>'<h1>Thanks for your order!</h1><p>Order no. <b>TB-77</b></p>'};
function draw(){setTimeout(()=>{host.innerHTML='<header><x-button id="bagb">Bag ('+state.quantity+')</x-button></header><main>'+(views[location.pathname]||views['/item/7'])()+'</main>';wire()},80)}
function wire(){const on=(id,f)=>{const b=host.getElementById(id);if(b)b.onclick=f};const out=host.querySelector('output');
on('more',()=>{out.textContent=+out.textContent+1});on('less',()=>{out.textContent=Math.max(1,+out.textContent-1)});on('bagb',()=>go('/bag'));
on('add',async()=>{if(!state.colour)return;state.quantity=+out.textContent;await fetch('/api/bag',{method:'POST',headers:{'content-type':'application/json'},body:JSON.stringify({colour:state.colour,quantity:state.quantity})});host.getElementById('bagb').textContent='Bag ('+state.quantity+')';const n=document.createElement('div');n.setAttribute('role','status');n.innerHTML='Added. <a href="/bag" id="vb">View bag</a>';host.querySelector('main').append(n);n.querySelector('a').onclick=(e)=>{e.preventDefault();go('/bag')}});
on('go',()=>go('/checkout'));
host.querySelector('[key=country]')?.addEventListener('pick',async()=>{const r=await (await fetch('/api/quote?country='+state.country+'&n='+state.quantity)).json();host.getElementById('d').textContent='€'+r.delivery;host.getElementById('t').textContent='€'+r.total});
on('pay',async()=>{const r=await fetch('/api/order',{method:'POST',headers:{'content-type':'application/json'},body:JSON.stringify(state)});if(r.ok)go('/done')});}
addEventListener('popstate',draw);draw();`;

const shop: Handler = ({ path, form, session }, orders) => {
  if (path === '/api/bag') {
    for (const [name, value] of form) session.set(name, value);
    return { json: { ok: true } };
  }
  if (path === '/api/quote') {
    const goods = 15 * Number(form.get('n'));
    return { json: { delivery: '4.50', total: (goods + 4.5).toFixed(2), currency: 'EUR' } };
  }
  if (path !== '/api/order')
    return { html: inPage('Trail', `<div id="app"></div><script>${app}</script>`) };
  orders.push(Object.fromEntries(form));
  return { json: { id: 'TB-77' } };
};

export const components: Layout = {
  title:
    'web components in shadow roots: drawn list boxes, fields with nothing but a placeholder, a stepper without a field',
  path: '/item/7',
  shop,
  task: {
    request: 'grün, zwei Stück',
    maxCost: { amountMinor: 6_000n, currency: 'EUR' },
    buyer: {
      firstName: 'Lena',
      lastName: 'Maier',
      email: 'lena@example.de',
      phone: '+4930901820',
      shipping: {
        addressLines: ['Torstraße 12'],
        locality: 'Berlin',
        postalCode: '10119',
        countryCode: 'DE',
      },
    },
  },
  buys: {
    colour: 'g',
    quantity: '2',
    country: 'DE',
    name: 'Lena Maier',
    mail: 'lena@example.de',
    street: 'Torstraße 12',
    zip: '10119',
    town: 'Berlin',
    number: /4242/,
    cvc: '123',
    exp: /07\W*31/,
  },
};
