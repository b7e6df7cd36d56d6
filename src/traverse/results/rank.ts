import { compareUtf8 } from '../../layout/keys/compare-utf8.js'
import type { PlainRow } from '../../plan/row.js'
import { GraphError } from '../../schema/error.js'
import { needNodes, type Walk } from '../need.js'
import type { NodeRef } from '../traversal.js'
import type { Visit } from '../visit.js'
import type { WalkResult } from '../walk.js'

export interface RankOptions {
  /** An attribute of the edges of the last step; without it each path counts 1. */
  readonly weight?: string | undefined
  /** The number of nodes with the highest scores to return. */
  readonly limit?: number | undefined
  /** Whether the nodes are read. */
  readonly nodes?: boolean | undefined
}

export interface RankEntry {
  readonly id: unknown
  readonly score: number
  readonly node?: PlainRow
}

/** The nodes of the last step by the number, or the weight, of the paths that lead to them; of equal ones by their ids. */
export function* rankNodes(
  type: string,
  { last }: WalkResult,
  { weight, limit, nodes }: RankOptions,
): Walk<RankEntry[]> {
  const scores = new Map<string, { readonly node: NodeRef; score: number }>()
  for (const visit of last) {
    const { node } = visit
    const entry = scores.get(node.key) ?? { node, score: 0 }
    scores.set(node.key, entry)
    entry.score += weight === undefined ? visit.paths : weightOf(visit, weight)
  }
  const ranked = [...scores.values()].sort((a, b) => b.score - a.score || compareUtf8(a.node.key, b.node.key))
  const top = nodes ? ranked : ranked.slice(0, limit)
  if (!nodes) return top.map(({ node, score }) => ({ id: node.id, score }))
  return yield* readRankedNodes(type, top, limit ?? top.length)
}

/** The first ranked nodes that exist. Further ones are read only in place of those that do not. */
function* readRankedNodes(
  type: string,
  ranked: readonly { readonly node: NodeRef; readonly score: number }[],
  limit: number,
): Walk<RankEntry[]> {
  const found: RankEntry[] = []
  let at = 0
  while (found.length < limit && at < ranked.length) {
    const some = ranked.slice(at, at + limit - found.length)
    at += some.length
    const rows = yield* needNodes(
      type,
      some.map(({ node }) => node),
    )
    for (const [i, { node, score }] of some.entries()) if (rows[i]) found.push({ id: node.id, score, node: rows[i] })
  }
  return found
}

function weightOf({ arrivals, paths }: Visit, weight: string): number {
  if (arrivals.length === 0) return paths
  return arrivals.reduce((sum, { from, row, type }) => sum + from.paths * numberOrZero(row, weight, type), 0)
}

/** A number of an edge or a node; 0 if the attribute is absent. */
export function numberOrZero(row: PlainRow, attribute: string, type: string): number {
  const value = row[attribute]
  if (value === undefined) return 0
  const number = typeof value === 'bigint' || typeof value === 'string' ? Number(value) : value
  if (typeof number === 'number' && !Number.isNaN(number)) return number
  throw new GraphError('call.given', `${type}.${attribute}: the value is not a number; give an attribute of numbers`, {
    type,
    name: attribute,
    value,
  })
}
