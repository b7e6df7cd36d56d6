const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/^\{\{\s*(?:"|''')[\s\S]*\}\}$/, 'CLOB'],
  [/^\{\{[A-Za-z0-9+/=\s]*\}\}$/, 'BLOB'],
  [/^\{(?!\{)[\s\S]*\}$/, 'STRUCT'],
  [/^\[[\s\S]*\]$/, 'LIST'],
  [/^\([\s\S]*\)$/, 'SEXP'],
  [/^(?:"[\s\S]*"|'''[\s\S]*''')$/, 'STRING'],
  [/^'[\s\S]*'$/, 'SYMBOL'],
  [/^null(?:\.[a-z]+)?$/, 'NULL'],
  [/^(?:true|false)$/, 'BOOL'],
  [/^\d{4}[-T][-\d:TZ.+]*$/, 'TIMESTAMP'],
  [/^-?(?:0[xX][\da-fA-F_]+|0[bB][01_]+|[\d_]+)$/, 'INT'],
  [/^-?[\d_]+(?:\.[\d_]*)?[eE][+-]?\d+$|^(?:nan|[+-]inf)$/, 'FLOAT'],
  [/^-?[\d_]+(?:\.[\d_]*)?(?:[dD][+-]?\d+)?$/, 'DECIMAL'],
  [/^[A-Za-z_$][\w$]*$/, 'SYMBOL'],
]

/**
 * Returns the service's name for the type of an Ion literal, which it parses and rejects; undefined if the text is not
 * Ion.
 */
export function ionTypeOf(text: string): string | undefined {
  const trimmed = text.trim()
  return PATTERNS.find(([form]) => form.test(trimmed))?.[1]
}
