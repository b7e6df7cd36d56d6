import type { DeclaredEdge } from '../declarations.js'

/** Whether the stream consumer maintains data derived from an edge: counters at an end, or copies of attributes. */
export function hasStreamDerivedData(
  { carry, count, sum }: Pick<DeclaredEdge, 'carry' | 'count' | 'sum'>,
  endName?: string,
): boolean {
  const isAtEnd = ({ end }: { readonly end: string }) => !endName || end === endName
  return (
    carry.filter(isAtEnd).some(({ sync }) => sync) ||
    [...count, ...sum].filter(isAtEnd).some(({ by }) => by === 'stream')
  )
}
