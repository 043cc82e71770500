/** The types of coins on the Move chains: `0x2::sui::SUI`, `0x1::lp::LP<0x1::a::A, vector<u8>>`. */

const structName = /^0x[a-fA-F0-9]{1,64}(?:::[A-Za-z_][A-Za-z0-9_]{0,127}){2}/;
const word = /^(?:bool|u8|u16|u32|u64|u128|u256|address)(?![A-Za-z0-9_])/;
const lengthMax = 512;
/** How deep the networks let types stand in each other. */
const depthMax = 8;

/** Whether the text is the type of a coin, with the types that it is generic over. */
export function isMoveType(text: string): boolean {
  return text.length <= lengthMax && structName.test(text) && restOfType(text, 1) === '';
}

/** What is behind the type that the text begins with; undefined: it begins with none. */
function restOfType(text: string, depth: number): string | undefined {
  if (depth > depthMax) return undefined;
  const plain = word.exec(text)?.[0];
  if (plain !== undefined) return text.slice(plain.length);
  if (text.startsWith('vector<')) {
    const rest = restOfType(text.slice('vector<'.length), depth + 1);
    return rest?.startsWith('>') ? rest.slice(1) : undefined;
  }
  const name = structName.exec(text)?.[0];
  if (name === undefined) return undefined;
  const rest = text.slice(name.length);
  return rest.startsWith('<') ? restOfArguments(rest.slice(1), depth) : rest;
}

function restOfArguments(text: string, depth: number): string | undefined {
  let rest: string | undefined = text;
  while (rest !== undefined) {
    rest = restOfType(rest, depth + 1);
    if (rest?.startsWith('>')) return rest.slice(1);
    // People and explorers write a space behind the comma.
    rest = rest !== undefined && /^, ?/.test(rest) ? rest.replace(/^, ?/, '') : undefined;
  }
  return undefined;
}

/** The parts of a list with commas between; those between `<` and `>` belong to a type. */
export function splitTypes(list: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const character of list) {
    if (character === '<') depth++;
    if (character === '>') depth = Math.max(0, depth - 1);
    if (character === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts.map((part) => part.trim());
}
