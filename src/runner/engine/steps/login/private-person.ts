import { fillField, setChecked } from '../../fields/fill.ts';
import type { FieldInfo, Snapshot } from '../../page/snapshot.ts';
import type { Run } from '../../run.ts';

const person =
  /^\s*(?:(?:i am |als |en tant que )?(?:an? )?(?:private?|individual|personal|consumer)\b|privat(?:person|kund|einkauf|kauf)?|particulier|(?:un )?particular|privat[oa]\b|persona (?:f[ií]sica|privata)|pessoa f[ií]sica|consument|個人)/i;
const company =
  /compan|business|\btrade\b|organi[sz]ation|firm|unternehmen|geschäft|gewerb|entreprise|société|professionnel|empresa|aziend|societ[aà]|bedrijf|zakelijk|persona (?:jur[ií]dica|giuridica)|pessoa jurídica|法人|会社/i;

/**
 * Buys as a private person where a shop has chosen a company: that would ask for the name of one.
 * @returns whether the page was changed
 */
export async function choosePrivatePerson(run: Run, snapshot: Snapshot): Promise<boolean> {
  const groups = new Map<number, FieldInfo[]>();
  for (const field of snapshot.fields)
    if (field.type === 'radio' && !field.disabled)
      groups.set(field.group, [...(groups.get(field.group) ?? []), field]);
  for (const members of groups.values()) {
    const own = members.find((field) => person.test(field.label));
    const isChoice =
      members.length <= 4 && members.some((field) => field !== own && company.test(field.label));
    if (own === undefined || !isChoice || own.checked || !(await setChecked(snapshot, own, true)))
      continue;
    run.log.info({ choice: own.label.slice(0, 60) }, 'The order is a private person’s.');
    return true;
  }
  for (const field of snapshot.fields.filter(
    ({ type, disabled }) => type === 'select' && !disabled,
  )) {
    const own = field.options.find((option) => person.test(option.text));
    const isChoice =
      field.options.length <= 5 &&
      field.options.some((option) => option !== own && company.test(option.text));
    if (
      own === undefined ||
      !isChoice ||
      own.selected ||
      !(await fillField(snapshot, field, [own.text, own.value]))
    )
      continue;
    run.log.info({ choice: own.text.slice(0, 60) }, 'The order is a private person’s.');
    return true;
  }
  return false;
}
