import { sqlDouble } from '../sql-text.js'
import { graphTables, type LinkOptions, type ProgramContext, vertexValues } from './graph-tables.js'
import { create, type SqlProgram } from './program.js'

/** How PageRank runs. */
export interface PageRankOptions extends LinkOptions {
  /** The probability that a walk goes on; 0.85 by default. */
  readonly damping?: number | undefined
  /** The most iterations; 100 by default. */
  readonly iterations?: number | undefined
  /** The iterations end when all ranks of each tenant together change by less; 0.000001 by default. */
  readonly tolerance?: number | undefined
  /** Follows links from their beginning to their end only, by default; `false` follows them both ways. */
  readonly directed?: boolean | undefined
}

/** The PageRank of each vertex as `rank`. All ranks of a tenant add up to 1. A vertex without links passes its rank to all. */
export function pageRankProgram(context: ProgramContext, options: PageRankOptions): SqlProgram {
  const { damping = 0.85, iterations = 100, tolerance = 1e-6, directed = true } = options
  const back = directed ? '' : 'UNION ALL SELECT dst, src, weight FROM links WHERE src <> dst'
  const next = `SELECT ranks.v, ranks.tenant,
      ${sqlDouble(1 - damping)} / size.n + ${sqlDouble(damping)} * (coalesce(incoming.rank, 0) + size.lost / size.n) AS rank,
      ranks.rank AS before
    FROM ranks
    JOIN (SELECT ranks.tenant, max(total.n) AS n, coalesce(sum(CASE WHEN shares.src IS NULL THEN ranks.rank END), 0) AS lost
      FROM ranks JOIN total ON total.tenant = ranks.tenant
      LEFT JOIN (SELECT DISTINCT src FROM shares) AS shares ON shares.src = ranks.v
      GROUP BY ranks.tenant) AS size ON size.tenant = ranks.tenant
    LEFT JOIN (SELECT shares.dst AS v, sum(ranks.rank * shares.share) AS rank
      FROM shares JOIN ranks ON ranks.v = shares.src GROUP BY shares.dst) AS incoming ON incoming.v = ranks.v`
  return {
    steps: [
      ...graphTables(context, options),
      create('total', 'SELECT tenant, count(*) AS n FROM vertices GROUP BY tenant'),
      create('steps', `SELECT src, dst, weight FROM links ${back}`),
      create(
        'shares',
        `SELECT steps.src, steps.dst, sum(steps.weight) / max(sums.total) AS share
          FROM steps JOIN (SELECT src, sum(weight) AS total FROM steps GROUP BY src) AS sums ON sums.src = steps.src
          WHERE sums.total > 0 GROUP BY steps.src, steps.dst`,
      ),
      create(
        'ranks',
        `SELECT v, vertices.tenant, 1e0 / total.n AS rank, CAST(0 AS DOUBLE) AS before
          FROM vertices JOIN total ON total.tenant = vertices.tenant`,
      ),
      {
        repeat: [create('ranks', next)],
        times: iterations,
        until: `SELECT coalesce(max(change), 0) < ${sqlDouble(tolerance)}
          FROM (SELECT sum(abs(rank - before)) AS change FROM ranks GROUP BY tenant)`,
      },
    ],
    result: vertexValues('SELECT v, rank FROM ranks', { rank: undefined }),
  }
}
