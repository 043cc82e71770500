/**
 * Local part and domain as mail systems take them unquoted; letters of any script, no white space,
 * no `:`.
 */
const emailPattern =
  /^[^\s@"(),:;<>[\]\\\p{C}]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.)+[\p{L}\p{N}][\p{L}\p{M}\p{N}-]{1,62}$/u;

/** Longest address that can be delivered (RFC 5321, section 4.5.3.1.3). */
const emailLengthMax = 254;

const gmailDomains = new Set(['gmail.com', 'googlemail.com']);

/**
 * The form in which two spellings of one e-mail address are equal (supplement, section 1): lower
 * case; for gmail.com and googlemail.com without the dots of the local part and at gmail.com. Tags
 * (`+shop`) stay. Undefined when the text is no e-mail address.
 */
export function normalizeEmail(text: string): string | undefined {
  if (text.length > emailLengthMax) return undefined;
  const email = text.toLowerCase();
  if (!emailPattern.test(email)) return undefined;
  const at = email.lastIndexOf('@');
  const domain = email.slice(at + 1);
  if (!gmailDomains.has(domain)) return email;
  const local = email.slice(0, at).replaceAll('.', '');
  return local === '' ? undefined : `${local}@gmail.com`;
}
