import { toBase64 } from '../../jobs/rows/base64.js'
import { escapeText } from '../../layout/keys/encode-template.js'
import { type DeclaredType, identitySlotsOf, TENANT_SLOT } from '../../layout/slots.js'
import { encodeIdentity } from '../../plan/identity.js'
import { GraphError } from '../../schema/error.js'
import { sqlText } from '../sql-text.js'
import type { SourceId } from './distances.js'
import { type ProgramContext, typesOfEdges } from './graph-tables.js'
import { assertTrue, create, type SqlStep } from './program.js'

/** Errors name a source each, up to this many sources; of more, each error names some. */
const ASSERTIONS = 16

/** The table `sources` with the vertices `v` that have these ids. The program stops if an id has none. */
export function sourceSteps(
  context: ProgramContext,
  edge: string | readonly string[],
  sources: readonly SourceId[],
): SqlStep[] {
  const types = typesOfEdges(context, edge)
  const conditions = sources.map(source => ({ source, sql: sourceCondition(context, types, source) }))
  const any = conditions.map(({ sql }) => sql).join(' OR ') || 'false'
  const size = Math.max(1, Math.ceil(conditions.length / ASSERTIONS))
  const groups = Array.from({ length: Math.ceil(conditions.length / size) }, (_, at) =>
    conditions.slice(at * size, (at + 1) * size),
  )
  const assertions = groups.map(group => {
    const counts = group.map(({ sql }) => `SELECT count(*) AS n FROM sources WHERE ${sql}`)
    const names = group.map(({ source }) => nameOf(source)).join(', ')
    return assertTrue(
      `SELECT min(n) > 0 FROM (${counts.join(' UNION ALL ')})`,
      `job: distances(): the data has no node ${names}; correct 'sources'.`,
    )
  })
  return [create('sources', `SELECT v, type, tenant, id FROM vertices WHERE ${any}`), ...assertions]
}

const nameOf = (source: SourceId) => (typeof source === 'object' ? JSON.stringify(source) : `'${source}'`)

/** The condition that a vertex has this id. The id may be that of nodes of several types. */
function sourceCondition({ layout }: ProgramContext, types: readonly DeclaredType[], source: SourceId): string {
  const { tenant, id } = layout.design.tenant ? splitTenant(source) : { tenant: undefined, id: source }
  const ofTenant = tenant === undefined ? '' : ` AND tenant = ${sqlText(String(tenant))}`
  const conditions = types.flatMap(type => {
    const text = idTextOf(type, id)
    return text === undefined ? [] : [`(type = ${sqlText(type.name)} AND id = ${sqlText(text)}${ofTenant})`]
  })
  if (conditions.length > 0) return `(${conditions.join(' OR ')})`
  const names = types.map(({ name }) => name).join(', ')
  throw new GraphError('batch.job', `job: distances(): ${nameOf(source)} is not an id of ${names}; correct 'sources'.`)
}

function splitTenant(source: SourceId): { readonly tenant?: unknown; readonly id: unknown } {
  if (typeof source !== 'object') return { id: source }
  const { [TENANT_SLOT]: tenant, ...id } = source
  return { tenant, id }
}

/** The text of an id in the table `vertices`; undefined if it is not an id of the type. */
function idTextOf(type: DeclaredType, id: unknown): string | undefined {
  try {
    const slots = identitySlotsOf(type)
    const values = encodeIdentity(type, slots.length === 1 ? onlyPartOf(id, slots[0]!) : id)
    const parts = slots.map(slot => {
      const { S, N, B } = values[slot]!
      return S ?? N ?? toBase64(B!)
    })
    return parts.length === 1 ? parts[0] : parts.map(escapeText).join('#')
  } catch (error) {
    if (error instanceof GraphError) return undefined
    throw error
  }
}

/** `{ id: 'ann' }` as `'ann'`, which is the form with a tenant. */
function onlyPartOf(id: unknown, slot: string): unknown {
  const isObject = typeof id === 'object' && id !== null && Object.keys(id).join() === slot
  return isObject ? Object.values(id)[0] : id
}
