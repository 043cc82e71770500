import { secretMeanings } from '../engine/fields/meanings.ts';
import { scoreField, scoreMin } from '../engine/fields/score.ts';
import type { FieldInfo, Snapshot } from '../engine/page/snapshot.ts';
import { plain } from '../engine/words/words.ts';

const secretWords =
  /\b(?:cards?|cvc2?|cvv2?|csc|cvn|iban|bic|swift|sort code|routing|ssn|social security|passport|pin|otp|tan|karte(?:n\w*)?|kreditkarte\w*|konto\w*|tarjeta|carte|carta|kaart\w*|pass(?:word|wort|code)|kennwort|secret|expir\w*|ablauf\w*|account (?:no|num\w*|nr))\b|security code|カード|暗証/;

/**
 * Fields for cards, passwords, codes and accounts, and what only might be one: in doubt a field is
 * secret.
 */
export function isSecretField(snapshot: Pick<Snapshot, 'forms'>, field: FieldInfo): boolean {
  if (field.type === 'password' || /\bcc-|password|one-time-code/.test(field.autocomplete))
    return true;
  if (['radio', 'checkbox', 'switch'].includes(field.type)) return false;
  const words = plain(
    [field.name, field.id, field.label, field.placeholder, field.near, field.hint]
      .join(' ')
      .replaceAll(/([a-z])([A-Z])|[-_.[\]:/]+/g, '$1 $2'),
  );
  if (secretWords.test(words)) return true;
  return [...scoreField(field, snapshot.forms[field.container])].some(
    ([meaning, score]) => secretMeanings.has(meaning) && score >= scoreMin,
  );
}
