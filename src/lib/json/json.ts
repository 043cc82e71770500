/** A JSON value. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json | undefined };
export type JsonObject = { readonly [key: string]: Json | undefined };
