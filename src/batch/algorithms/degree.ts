import { graphTables, type LinkOptions, type ProgramContext, vertexValues } from './graph-tables.js'
import type { SqlProgram } from './program.js'

/** The number of links of each vertex as `degree`, and the sum of their weights as `total`. */
export function degreeProgram(context: ProgramContext, options: LinkOptions): SqlProgram {
  const sums = 'SELECT src AS v, count(*) AS degree, sum(weight) AS total FROM links GROUP BY src'
  return { steps: graphTables(context, options), result: vertexValues(sums, { degree: '0', total: '0' }) }
}
