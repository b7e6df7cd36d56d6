import type { DeclaredEdge } from '../declarations.js'

/** Whether a consumer of the stream keeps something of an edge: counters at an end, or copies of what is there. */
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
