import type { TokenCursor } from './token-cursor.js'

/** The types of an IS test, with the names that the service uses in its messages. */
const TYPE_NAMES: Readonly<Record<string, string>> = {
  NULL: 'NULL',
  MISSING: 'MISSING',
  BOOL: 'BOOLEAN',
  BOOLEAN: 'BOOLEAN',
  BLOB: 'BLOB',
  STRING: 'STRING',
  NUMERIC: 'NUMERIC',
  STRUCT: 'STRUCT',
  TUPLE: 'TUPLE',
  LIST: 'LIST',
  SMALLINT: 'SmallintType',
  INT: 'IntegerType',
  INTEGER: 'IntegerType',
  INT4: 'Integer4Type',
  INT8: 'Integer8Type',
  BIGINT: 'Integer8Type',
  FLOAT: 'FloatType',
  REAL: 'RealType',
  DECIMAL: 'DecimalType',
  TIMESTAMP: 'TimestampType',
  DATE: 'DateType',
  TIME: 'TimeType',
  CHAR: 'CharacterType',
  CHARACTER: 'CharacterType',
  VARCHAR: 'CharacterVaryingType',
  'CHARACTER VARYING': 'CharacterVaryingType',
  'DOUBLE PRECISION': 'DoublePrecisionType',
  SYMBOL: 'SymbolType',
  CLOB: 'ClobType',
  SEXP: 'SexpType',
  BAG: 'BagType',
  ANY: 'AnyType',
}

/** Parses a type name with its optional arguments in parentheses; undefined if there is none. */
export function parseTypeName(cursor: TokenCursor): string | undefined {
  const both = `${cursor.token.text} ${cursor.followingToken.text}`.toUpperCase()
  const words = Object.hasOwn(TYPE_NAMES, both) ? 2 : 1
  const name = words === 2 ? both : cursor.token.text.toUpperCase()
  if (!Object.hasOwn(TYPE_NAMES, name) || cursor.token.kind === 'string') return undefined
  for (let i = 0; i < words; i++) cursor.next()
  if (cursor.take('(')) {
    while (cursor.token.kind === 'number' || cursor.is(',')) cursor.next()
    if (!cursor.take(')')) return undefined
  }
  return TYPE_NAMES[name]
}
