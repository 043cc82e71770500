/** A field of the form that a question is answered with. */
export interface QuestionField {
  /** Its key in the answer. */
  readonly name: string;
  readonly label: string;
  readonly description?: string;
  /**
   * `secret`: type it in a field that hides it, and keep it nowhere. `confirm`: a tick or button
   * that means `true`.
   */
  readonly kind: 'text' | 'email' | 'secret' | 'number' | 'confirm' | 'choice';
  readonly options?: readonly { readonly value: string; readonly label: string }[];
}

/**
 * One way to answer: all its `required` fields, and none of those that no way but another needs.
 */
export interface QuestionWay {
  readonly title?: string;
  readonly required: readonly string[];
}

export interface QuestionForm {
  readonly fields: readonly QuestionField[];
  /** At least one. */
  readonly ways: readonly QuestionWay[];
}

interface JsonSchema {
  readonly type?: string;
  readonly title?: string;
  readonly description?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly oneOf?: readonly { readonly const?: unknown; readonly title?: string }[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly { readonly title?: string; readonly required?: readonly string[] }[];
}

/**
 * The form of a `responseSchema`: the few words of JSON Schema that questions are written in, as
 * fields to draw.
 */
export function formOfSchema(responseSchema: object): QuestionForm {
  const { properties = {}, required = [], anyOf } = responseSchema as JsonSchema;
  const ways: readonly QuestionWay[] = anyOf
    ? anyOf.map(({ title, required: needed = [] }) => ({
        ...(title === undefined ? {} : { title }),
        required: needed,
      }))
    : [{ required }];
  // The order of what is required is kept by everybody, that of an object's keys is not.
  const order = ways.flatMap((way) => way.required);
  const placeOf = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  const sorted = Object.entries(properties).sort(([a], [b]) => placeOf(a) - placeOf(b));
  return {
    fields: sorted.map(([name, schema]) => {
      const options = optionsOf(schema);
      return {
        name,
        label: schema.title ?? name,
        ...(schema.description === undefined ? {} : { description: schema.description }),
        kind: kindOf(schema),
        ...(options === undefined ? {} : { options }),
      };
    }),
    ways,
  };
}

function kindOf({ type, format, enum: values, oneOf }: JsonSchema): QuestionField['kind'] {
  if (values || oneOf) return 'choice';
  if (type === 'boolean') return 'confirm';
  if (type === 'integer' || type === 'number') return 'number';
  if (format === 'password') return 'secret';
  return format === 'email' ? 'email' : 'text';
}

function optionsOf({ enum: values, oneOf }: JsonSchema): QuestionField['options'] {
  if (oneOf)
    return oneOf.map(({ const: value, title }) => ({
      value: String(value),
      label: title ?? String(value),
    }));
  return values?.map((value) => ({ value: String(value), label: String(value) }));
}
