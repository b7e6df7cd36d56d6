import type { DeclaredEdge } from '../declarations.js'

/**
 * Whether the stream consumer maintains data derived from an edge: counters at an end, copies of attributes, or a
 * closure, for which it finds the edges of a node by their parent end.
 */
export function hasStreamDerivedData(
  {
    carry,
    count,
    sum,
    closure,
    one,
  }: Pick<DeclaredEdge, 'carry' | 'count' | 'sum'> & Partial<Pick<DeclaredEdge, 'closure' | 'one'>>,
  endName?: string,
): boolean {
  const isAtEnd = ({ end }: { readonly end: string }) => !endName || end === endName
  return (
    carry.filter(isAtEnd).some(({ sync }) => sync) ||
    [...count, ...sum].filter(isAtEnd).some(({ by }) => by === 'stream') ||
    (closure !== undefined && endName !== one)
  )
}
