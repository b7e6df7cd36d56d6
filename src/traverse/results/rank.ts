import { compareUtf8 } from '../../layout/keys/compare-utf8.js'
import type { PlainRow } from '../../plan/row.js'
import { needNodes, type Walk } from '../need.js'
import type { NodeRef } from '../traversal.js'
import type { WalkResult } from '../walk.js'
import { ExactSum, figureOf } from './exact-sum.js'

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
export function* rankNodes(type: string, walked: WalkResult, { weight, limit, nodes }: RankOptions): Walk<RankEntry[]> {
  const scored = weight === undefined ? pathScores(walked) : weightScores(walked, weight)
  const ranked = scored.sort((a, b) => b.score - a.score || compareUtf8(a.node.key, b.node.key))
  const top = nodes ? ranked : ranked.slice(0, limit)
  if (!nodes) return top.map(({ node, score }) => ({ id: node.id, score }))
  return yield* readRankedNodes(type, top, limit ?? top.length)
}

interface ScoredNode {
  readonly node: NodeRef
  score: number
}

function pathScores({ last }: WalkResult): ScoredNode[] {
  const scores = new Map<string, ScoredNode>()
  for (const { node, paths } of last) {
    const entry = scores.get(node.key)
    if (entry) entry.score += paths
    else scores.set(node.key, { node, score: paths })
  }
  return [...scores.values()]
}

/** The sums are exact, and a score is its sum as a number. A node that no edge of the last hop reached has 0. */
function weightScores({ last, origins }: WalkResult, weight: string): ScoredNode[] {
  const sums = new Map<string, { readonly node: NodeRef; readonly sum: ExactSum }>()
  for (const visit of last) {
    const { node } = visit
    const entry = sums.get(node.key) ?? { node, sum: new ExactSum() }
    sums.set(node.key, entry)
    if (origins.has(visit)) continue
    for (const { from, row, type } of visit.arrivals) {
      const value = figureOf(row, weight, type)
      if (value !== undefined) entry.sum.add(value, from.paths)
    }
  }
  return [...sums.values()].map(({ node, sum }) => ({ node, score: sum.toNumber() }))
}

/** The first ranked nodes that exist. Further ones are read only in place of those that do not. */
function* readRankedNodes(type: string, ranked: readonly ScoredNode[], limit: number): Walk<RankEntry[]> {
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
