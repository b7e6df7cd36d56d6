import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ProgramContext } from '../../src/batch/algorithms/graph-tables.js'
import type { SqlProgram } from '../../src/batch/algorithms/program.js'
import { runSteps } from '../../src/batch/algorithms/run-program.js'
import { openBatch } from '../../src/batch/index.js'
import type { BatchData } from '../../src/batch/open-batch.js'
import { edge, graph, integer, node, number } from '../../src/index.js'

const vertex = node('vertex', { id: integer() }, { id: 'id' })
const links = (undirected: boolean) =>
  edge('link', { a: vertex, b: vertex }, { no: integer(), weight: number() }, { key: ['no'], undirected } as never)
const GRAPHS = {
  directed: graph('directed', [vertex, links(false)]),
  undirected: graph('undirected', [vertex, links(true)]),
}

/** A graph of numbered vertices. */
export interface NumberedGraph {
  readonly directed: boolean
  readonly vertices: readonly number[]
  readonly edges: readonly (readonly [a: number, b: number, weight: number])[]
}

/** Reads a graph, which is dumped as rows, and works on its views. */
export async function withGraph<T>(numbered: NumberedGraph, work: (data: BatchData) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'edgewise-graph-'))
  try {
    const lines = (rows: readonly object[]) => rows.map(row => `${JSON.stringify(row)}\n`).join('')
    const edges = numbered.edges.map(([a, b, weight], no) => ({ a, b, no, weight }))
    writeFileSync(join(folder, 'vertex.jsonl'), lines(numbered.vertices.map(id => ({ id }))))
    writeFileSync(join(folder, 'link.jsonl'), lines(edges))
    const declared = numbered.directed ? GRAPHS.directed : GRAPHS.undirected
    await using data = await openBatch(declared, { from: folder, threads: 1 })
    return await work(data)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The values of a column of the result by the number of the vertex. */
export async function columnsOf(
  data: BatchData,
  program: (context: ProgramContext) => SqlProgram,
): Promise<Map<number, Readonly<Record<string, unknown>>>> {
  const { layout, dialect, views } = data
  const { steps, result } = program({ layout, dialect, views, momentMs: data.moment.getTime() })
  await runSteps(data.database, steps)
  const rows = await data.rows(
    `SELECT vertices.id AS vertex, result.* FROM (${result}) AS result JOIN vertices USING (pk, sk)`,
  )
  return new Map(rows.map(row => [Number(row.vertex), row]))
}
