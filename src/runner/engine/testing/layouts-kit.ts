/** Ways in which real shops write the same form. Each draw is one shop. */

export interface Layout {
  readonly language: 'en' | 'de' | 'fr' | 'es';
  /** How a label is tied to its field. */
  readonly tie: 'wrap' | 'for' | 'aria-label' | 'placeholder' | 'text-before' | 'labelledby';
  /** What names say: words, nothing, or the tokens of the standard. */
  readonly names: 'words' | 'opaque' | 'tokens';
  readonly wholeName: boolean;
  readonly lists: 'select' | 'listbox';
  readonly codes: boolean;
  readonly newsletterFirst: boolean;
}

type Row = readonly [
  key: string,
  words: Readonly<Record<Layout['language'], string>>,
  token: string,
  name: string,
];

const rows: readonly Row[] = [
  [
    'email',
    { en: 'Email address', de: 'E-Mail-Adresse', fr: 'Adresse e-mail', es: 'Correo electrónico' },
    'email',
    'customer_email',
  ],
  [
    'first',
    { en: 'First name', de: 'Vorname', fr: 'Prénom', es: 'Nombre' },
    'given-name',
    'firstName',
  ],
  [
    'last',
    { en: 'Last name', de: 'Nachname', fr: 'Nom', es: 'Apellidos' },
    'family-name',
    'lastName',
  ],
  [
    'address',
    { en: 'Street address', de: 'Straße und Hausnummer', fr: 'Adresse', es: 'Dirección' },
    'address-line1',
    'address1',
  ],
  [
    'zip',
    { en: 'Postcode', de: 'Postleitzahl', fr: 'Code postal', es: 'Código postal' },
    'postal-code',
    'postcode',
  ],
  ['city', { en: 'Town / City', de: 'Ort', fr: 'Ville', es: 'Ciudad' }, 'address-level2', 'city'],
  ['phone', { en: 'Phone', de: 'Telefon', fr: 'Téléphone', es: 'Teléfono' }, 'tel', 'phone'],
];
const wholeName: Row = [
  'whole',
  { en: 'Full name', de: 'Vor- und Nachname', fr: 'Nom complet', es: 'Nombre completo' },
  'name',
  'fullname',
];
const country: Row = [
  'country',
  { en: 'Country', de: 'Land', fr: 'Pays', es: 'País' },
  'country',
  'country',
];
const countries = [
  ['DE', 'Germany', 'Deutschland', 'Allemagne', 'Alemania'],
  ['US', 'United States', 'Vereinigte Staaten', 'États-Unis', 'Estados Unidos'],
  ['FR', 'France', 'Frankreich', 'France', 'Francia'],
] as const;

/**
 * The fields of a delivery address in one of the ways. What is sent is called `f0`, `f1` … when
 * names are opaque.
 */
export function addressFields(look: Layout): {
  readonly html: string;
  readonly nameOf: (key: string) => string;
} {
  const names = look.wholeName ? [rows[0]!, wholeName, ...rows.slice(3)] : rows;
  const all = [country, ...names];
  const nameOf = (key: string) => {
    const index = all.findIndex(([one]) => one === key);
    return look.names === 'words' ? (all[index]?.[3] ?? key) : `f${index}`;
  };
  const html = all.map((row, index) => field(look, row, index, nameOf(row[0]))).join('\n');
  return { html, nameOf };
}

function field(look: Layout, [key, words, token]: Row, index: number, name: string): string {
  const label = words[look.language];
  const id = look.names === 'words' ? `id-${name}` : `x${index}`;
  const standard = look.names === 'tokens' ? `autocomplete="shipping ${token}"` : '';
  const tied =
    look.tie === 'aria-label'
      ? `aria-label="${label}"`
      : look.tie === 'placeholder'
        ? `placeholder="${label}"`
        : look.tie === 'labelledby'
          ? `aria-labelledby="l-${id}"`
          : '';
  const control =
    key === 'country'
      ? countryControl(look, id, name, label)
      : `<input id="${id}" name="${name}" ${standard} ${tied} required>`;
  const isDrawn = key === 'country' && look.lists === 'listbox';
  if (look.tie === 'wrap' && !isDrawn) return `<label>${label} ${control}</label><br>`;
  if (look.tie === 'for') return `<label for="${id}">${label}</label>${control}<br>`;
  if (look.tie === 'labelledby' || isDrawn)
    return `<div><span id="l-${id}">${label}</span>${control}</div>`;
  return look.tie === 'text-before' || key === 'country'
    ? `<div class="row"><div>${label}</div><div>${control}</div></div>`
    : `<div>${control}</div>`;
}

function countryControl(look: Layout, id: string, name: string, label: string): string {
  const column = { en: 1, de: 2, fr: 3, es: 4 }[look.language];
  if (look.lists === 'select')
    return `<select id="${id}" name="${name}" aria-label="${label}" required><option value=""></option>${countries.map((one, at) => `<option value="${look.codes ? one[0] : at + 1}">${one[column]}</option>`).join('')}</select>`;
  const options = countries
    .map(
      (one) =>
        `<li role="option" data-value="${one[0]}" style="cursor:pointer">${one[column]}</li>`,
    )
    .join('');
  return `<input type="hidden" name="${name}" id="h-${id}"><button type="button" role="combobox" id="${id}" aria-haspopup="listbox" aria-expanded="false" aria-label="${label}">–</button><ul role="listbox" hidden>${options}</ul>
<script>{const b=document.getElementById('${id}'),u=b.nextElementSibling;b.onclick=()=>{u.hidden=!u.hidden};u.onclick=(e)=>{b.textContent=e.target.textContent;document.getElementById('h-${id}').value=e.target.dataset.value;u.hidden=true};}</script>`;
}
