import { cardFault, type HeldOutShop, html, pause, reply, serve } from './kit.ts';

/*
 * A Spanish shop of one document: hash routes, the cart in sessionStorage, buttons that are divs,
 * the checkout inside a custom element with a shadow tree, everything drawn by script a second
 * after the address changed. Its book tells of buyers who went back to the cart from the checkout.
 */
const APP = `<style>[role=button]{display:inline-block;border:1px solid;padding:6px;cursor:pointer}.chip[aria-checked=true]{background:#cde}</style>
<header><a href="#/">Pixelmanía</a> <a href="#/cesta">Cesta <b id="cuenta"></b></a></header><div id="vista">Cargando…</div>
<script>
const eur = (c) => (c / 100).toLocaleString('es-ES', { style: 'currency', currency: 'EUR' });
const cesta = () => JSON.parse(sessionStorage.getItem('cesta') || 'null'); const guarda = (c) => { sessionStorage.setItem('cesta', JSON.stringify(c)); pinta(); };
const pinta = () => { cuenta.textContent = cesta() ? cesta().uds : ''; };
const tecla = (el, fn) => { el.onclick = fn; el.onkeydown = (e) => { if (e.key === 'Enter' || e.key === ' ') fn(); }; };
function producto() { vista.innerHTML = '<h1>Teclado mecánico K87</h1><p><s>119,00 €</s> <b>89,90 €</b></p><p id="inter">Interruptores</p><div role="radiogroup" aria-labelledby="inter"></div><p>Distribución</p><select id="dist" aria-label="Distribución"><option>Español</option><option>Inglés (US)</option></select><div class="uds">Unidades <div role="button" tabindex="0" aria-label="Quitar una unidad" id="m">-</div> <span id="u">1</span> <div role="button" tabindex="0" aria-label="Añadir una unidad" id="p">+</div></div><div role="button" tabindex="0" id="fav">Guardar en favoritos</div> <div role="button" tabindex="0" id="add">Añadir a la cesta</div><div id="aviso" role="status"></div>';
 let tipo = ''; const g = vista.querySelector('[role=radiogroup]'); for (const n of ['Rojo (lineal)', 'Marrón (táctil)', 'Azul (sonoro)']) { const d = document.createElement('div'); d.setAttribute('role', 'radio'); d.className = 'chip'; d.tabIndex = 0; d.setAttribute('aria-checked', 'false'); d.textContent = n; tecla(d, () => { tipo = n; for (const x of g.children) x.setAttribute('aria-checked', String(x === d)); }); g.append(d); }
 let n = 1; tecla(m, () => { n = Math.max(1, n - 1); u.textContent = n; }); tecla(p, () => { n = Math.min(6, n + 1); u.textContent = n; });
 tecla(document.getElementById('add'), () => { if (!tipo) { aviso.textContent = 'Elige un tipo de interruptor'; return; } const c = cesta(); guarda({ uds: (c ? c.uds : 0) + n, tipo, dist: dist.value }); aviso.innerHTML = 'Producto añadido. <a href="#/cesta">Ver cesta</a>'; }); }
function verCesta() { const c = cesta(); vista.innerHTML = c ? '<h1>Tu cesta</h1><p>Teclado mecánico K87 · ' + c.tipo + ' · ' + c.dist + '</p><p>Unidades: ' + c.uds + '</p><p>Subtotal ' + eur(c.uds * 8990) + '</p><div role="button" tabindex="0" id="ir">Tramitar pedido</div> <div role="button" tabindex="0" id="vac">Vaciar cesta</div>' : '<p>Tu cesta está vacía</p>'; if (!c) return; tecla(ir, () => { location.hash = '#/pedido'; }); tecla(vac, () => { sessionStorage.removeItem('cesta'); rutas(); }); }
class Pedido extends HTMLElement { connectedCallback() { const r = this.attachShadow({ mode: 'open' }); const c = cesta(); this.paso1(r, c); }
 paso1(r, c) { r.innerHTML = '<style>[role=button]{display:inline-block;border:1px solid;padding:6px}</style><h1>Datos de envío</h1><form><label>Nombre <input name="nombre"></label><label>Apellidos <input name="apellidos"></label><label>Correo electrónico <input name="correo"></label><label>Teléfono <input name="tel"></label><label>Dirección <input name="dir"></label><label>Piso, puerta <input name="piso"></label><label>Código postal <input name="cp"></label><label>Población <input name="pob"></label><label>Provincia / Estado <input name="prov"></label><label>País <select name="pais"><option value="ES">España</option><option value="PT">Portugal</option><option value="US">Estados Unidos</option></select></label><label><input type="checkbox" name="fact"> Necesito factura</label></form><p id="e" role="alert"></p><div role="button" tabindex="0" id="sig">Siguiente</div>';
  const f = r.querySelector('form'); tecla(r.getElementById('sig'), async () => { const d = Object.fromEntries(new FormData(f)); for (const k of ['nombre', 'apellidos', 'correo', 'tel', 'dir', 'cp', 'pob', 'pais']) if (!d[k]) { r.getElementById('e').textContent = 'Falta: ' + k; return; } const q = await (await fetch('/api/presupuesto', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ uds: c.uds, pais: d.pais }) })).json(); this.paso2(r, c, d, q); }); }
 paso2(r, c, d, q) { let envio = q.envios[0]; r.innerHTML = '<style>[role=button]{display:inline-block;border:1px solid;padding:6px}</style><h1>Envío y pago</h1><fieldset><legend>Método de envío</legend>' + q.envios.map((e, i) => '<label><input type="radio" name="env" value="' + e.id + '"' + (i ? '' : ' checked') + '>' + e.nombre + ' ' + eur(e.coste) + '</label>').join('') + '</fieldset><fieldset><legend>Tarjeta</legend><label>Titular <input name="titular"></label><label>Número de tarjeta <input name="num" inputmode="numeric"></label><label>Mes <input name="mm" maxlength="2" placeholder="MM"></label><label>Año <input name="aa" maxlength="2" placeholder="AA"></label><label>CVV <input name="cvv" maxlength="4"></label></fieldset><ul class="resumen"><li>Artículos <span>' + eur(q.bienes) + '</span></li><li>Envío <span id="en"></span></li><li>Total (IVA incluido) <span id="to"></span></li></ul><label><input type="checkbox" id="cond"> Acepto las condiciones de compra</label><p id="e" role="alert"></p><div role="button" tabindex="0" id="fin">Realizar pedido y pagar</div>';
  const $ = (i) => r.getElementById(i); const suma = () => { $('en').textContent = eur(envio.coste); $('to').textContent = eur(q.bienes + envio.coste); }; suma(); for (const i of r.querySelectorAll('[name=env]')) i.onchange = () => { envio = q.envios.find((e) => e.id === i.value); suma(); };
  let ya = false; tecla($('fin'), async () => { if (ya) return; if (!$('cond').checked) { $('e').textContent = 'Debes aceptar las condiciones'; return; } ya = true; $('fin').textContent = 'Procesando…'; const v = (n) => r.querySelector('[name=' + n + ']').value; const a = await (await fetch('/api/pedidos', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ ...d, ...c, vuelta: sessionStorage.getItem('vuelta') || undefined, envio: envio.id, num: v('num'), cad: v('mm') + '/' + v('aa'), cvv: v('cvv') }) })).json(); if (a.error) { ya = false; $('e').textContent = a.error; $('fin').textContent = 'Realizar pedido y pagar'; return; } sessionStorage.removeItem('cesta'); sessionStorage.setItem('ultimo', a.ref); location.hash = '#/gracias'; }); } }
customElements.define('px-pedido', Pedido);
const visita = () => { if (location.hash.startsWith('#/pedido')) sessionStorage.setItem('empezado', '1'); else if (location.hash.startsWith('#/cesta') && sessionStorage.getItem('empezado')) sessionStorage.setItem('vuelta', '1'); };
function rutas() { visita(); vista.innerHTML = 'Cargando…'; pinta(); setTimeout(() => { const h = location.hash; if (h.startsWith('#/cesta')) verCesta(); else if (h.startsWith('#/pedido')) vista.innerHTML = cesta() ? '<px-pedido></px-pedido>' : 'Tu cesta está vacía'; else if (h.startsWith('#/gracias')) vista.innerHTML = '<h1>¡Gracias por tu compra!</h1><p>Referencia del pedido: ' + sessionStorage.getItem('ultimo') + '</p>'; else if (h.startsWith('#/p/')) producto(); else vista.innerHTML = '<a href="#/p/k87">Teclado K87</a>'; }, 900); }
addEventListener('hashchange', rutas); rutas();
</script>`;

/** Starts the Spanish shop. */
export function pixel(): Promise<HeldOutShop> {
  const ways = [
    { id: 'urg', nombre: 'Urgente 24 h', coste: 995 },
    { id: 'est', nombre: 'Estándar 3-4 días', coste: 495 },
  ];
  return serve(['/api/pedidos'], async ({ path, json }, shop) => {
    if (path === '/') return html('es', 'Pixelmanía', APP);
    if (path === '/api/presupuesto') {
      await pause(500);
      return reply({ bienes: Number(json.uds) * 8990, envios: ways });
    }
    if (path === '/api/pedidos') {
      await pause(600);
      if (cardFault(String(json.num), String(json.cad), String(json.cvv)) !== undefined)
        return reply({ error: 'Revisa los datos de la tarjeta' });
      const total =
        Number(json.uds) * 8990 + (ways.find((way) => way.id === json.envio)?.coste ?? 0);
      const ref = `PX-${5512 + shop.book.length}`;
      shop.book.push({
        number: ref,
        item: `K87 ${json.tipo} ${json.dist}`,
        quantity: Number(json.uds),
        total,
        currency: 'EUR',
        email: String(json.correo),
        address: [json.nombre, json.apellidos, json.dir, json.cp, json.pob, json.pais].join(' '),
        extras: [
          ...(json.fact === undefined ? [] : ['factura']),
          ...(json.vuelta === undefined ? [] : ['led back to the cart']),
        ],
        card: String(json.num).slice(-4),
      });
      return reply({ ref });
    }
    return undefined;
  });
}
