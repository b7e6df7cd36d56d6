import { GraphError } from '../../schema/error.js'

/** The key of a row's etag. A registered symbol also identifies rows of another copy of the package. */
const ETAG = Symbol.for('edgewise.etag')

/** Attaches the etag to a row as a non-enumerable property. */
export function attachEtag<T>(row: T, etag: string | undefined): T {
  if (row && etag) Object.defineProperty(row, ETAG, { value: etag })
  return row
}

/**
 * Returns the etag of a row, for `ifEtag`.
 * @param row a row from `get`, or from a write with `returning('new')`
 * @throws {read.etag} the row has no etag, for example because it is a copy
 * @example
 * ```ts
 * import { etagOf, graph, node, open, string } from 'edgewise'
 * import { memory } from 'edgewise/engine'
 *
 * const user = node('user', { email: string(), name: string() }, { id: 'email' })
 * const g = await open(graph('app', [user]), memory())
 * const ann = await g.user.get('ann@example.com')
 * if (ann) await g.user.update(ann.email, { name: 'Ann B.' }).ifEtag(etagOf(ann))
 * ```
 */
export function etagOf(row: object): string {
  const etag = (row as { readonly [ETAG]?: string } | undefined)?.[ETAG]
  if (!etag)
    throw new GraphError('read.etag', 'etagOf(): the row has no etag; give the object that get() returned, not a copy.')
  return etag
}
