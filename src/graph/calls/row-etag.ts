import { GraphError } from '../../schema/error.js'

/** By which a row of another copy of the package is known too. */
const ETAG = Symbol.for('edgewise.etag')

/** Keeps the etag with a row, where nobody who looks at the row meets it. */
export function attachEtag<T>(row: T, etag: string | undefined): T {
  if (row && etag) Object.defineProperty(row, ETAG, { value: etag })
  return row
}

/** The etag of a row that `get` answered with, or a write with `returning('new')`: for `ifEtag`. */
export function etagOf(row: object): string {
  const etag = (row as { readonly [ETAG]?: string } | undefined)?.[ETAG]
  if (!etag) throw new GraphError('read.etag', 'this row has no etag: give what get() answered')
  return etag
}
