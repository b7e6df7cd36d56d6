import { open } from '../graph/open.js'
import {
  FAULTS,
  type FaultCode,
  type FoundFault,
  repair,
  type Verified,
  type VerifyOptions,
  verify,
} from '../jobs/index.js'
import { putAt, valueAt } from '../jobs/rows/columns.js'
import { fromPlain, fromText } from '../jobs/rows/plain.js'
import type { Layout } from '../layout/layout.js'
import type { DeclaredType } from '../layout/slots.js'
import { identityMembers, type Member, referencesOf } from '../plan/members.js'
import { Failure, Interrupted, Misuse } from './failure.js'
import { storeName } from './load/checkpoint.js'
import { onStore } from './on-store.js'
import type { InspectOptions } from './options-inspect.js'
import { counted, jsonOf, paint, print, printJson } from './output.js'
import { progress } from './progress.js'
import { abortOnStop, Stopped } from './stop-signal.js'
import { tableUnready } from './table-unready.js'
import { typesAsked } from './types-asked.js'
import { foundInAll, KeptInspection } from './verify-checkpoint.js'

/** How many faults are told one by one. */
const TOLD = 20
/** How much of a row is told. */
const ROW_CHARACTERS = 200

/** Looks through a table, or mends it, with progress; fails where anything is wrong in the end. */
export async function verifyCommand(file: string, options: InspectOptions, mends: boolean): Promise<void> {
  if (options.id !== undefined && options.type === undefined)
    throw new Misuse('--id needs the type of the node; add --type')
  await onStore(file, options, async on => {
    const { layout, store, table } = on
    const { fingerprint } = layout
    const { type: named, id: given, tenant } = options
    const of = { fingerprint, table, store: storeName(options), type: named, id: given, tenant, mends }
    const [type] = typesAsked(layout, options.type === undefined ? undefined : [options.type])
    const id = options.id === undefined ? undefined : idOf(type!, options.id)
    const opened = await open(layout, store, { table, follow: false, create: false }).catch(tableUnready(on))
    const found: FoundFault[] = []
    const done = await run(opened, { ...options, id }, of, found)
    if (options.json) printJson({ table, ...done, found })
    else if (given !== undefined && done.read === 0) print(`No ${type!.name} '${given}' and no edge of it was found.`)
    else print(...report(layout, table, done, found, mends))
    const left = Object.values(done.faults).reduce((sum, times) => sum + times, 0) - done.mended
    if (left > 0) throw new Failure(mends ? LEFT : 'run `edgewise repair` with the same options to repair them')
  })
}

const LEFT = 'some inconsistencies need a decision, or changed during the run; run verify to list them'

async function run(
  opened: object,
  options: Omit<InspectOptions, 'id'> & { readonly id: unknown },
  of: { readonly mends: boolean },
  found: FoundFault[],
): Promise<Verified> {
  const { type, id, tenant, checkpoint } = options
  const kept = checkpoint === undefined ? undefined : await KeptInspection.at(checkpoint, of)
  const before = kept?.before
  const tell = (fault: FoundFault) => {
    if (options.json || found.length < TOLD) found.push(fault)
  }
  for (const fault of (await kept?.found()) ?? []) tell(fault)
  let since: FoundFault[] = []
  const counts: Partial<Record<FaultCode, number>> = {}
  const line = progress()
  const asked: VerifyOptions = {
    ...(type !== undefined && { type }),
    ...(id !== undefined && { id }),
    ...(tenant !== undefined && { tenant }),
    ...(before && { cursor: before.cursor }),
    signal: abortOnStop(),
    onFault: fault => {
      counts[fault.code] = (counts[fault.code] ?? 0) + 1
      tell(fault)
      if (kept) since.push(fault)
    },
    progress: async ({ read, faults, mended, cursor }) => {
      line.say(() => `${read.toLocaleString('en-US')} items, ${counted(faults, 'inconsistency')}, ${mended} repaired`)
      const done = foundInAll(before?.done, { read, mended, faults: counts })
      if (cursor === undefined) await kept?.remove()
      else await kept?.note(cursor, done, since)
      since = []
    },
  }
  try {
    return foundInAll(before?.done, await (of.mends ? repair(opened, asked) : verify(opened, asked)))
  } catch (error) {
    if (!(error instanceof Stopped)) throw error
    const advice = kept ? 'run the same command again to continue' : 'add --checkpoint FILE to be able to continue'
    throw new Interrupted(`stopped; ${advice}`, error)
  } finally {
    await kept?.close()
    line.end()
  }
}

/** An id of several parts is a document, any other the text of its only part. */
function idOf(type: DeclaredType, text: string): unknown {
  const [first, ...more] = identityMembers(type)
  if (type.kind === 'edge' || !first) return text
  if (more.length === 0) return fromText(first.attribute, text, first.slot)
  const id = documentOf(text, [first, ...more])
  for (const member of [first, ...more])
    putAt(id, member, fromPlain(member.attribute, valueAt(id, member), member.slot))
  return id
}

function documentOf(text: string, parts: readonly Member[]): Record<string, unknown> {
  const id = jsonIn(text)
  if (typeof id === 'object' && id !== null) return { ...id }
  const form: Record<string, unknown> = {}
  for (const part of parts) putAt(form, part, '…')
  throw new Failure(
    `--id ${text} is not JSON of the parts of the id; use the form '${JSON.stringify(form).replaceAll('"…"', '…')}'`,
  )
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function report(
  layout: Layout,
  table: string,
  { read, mended, faults }: Verified,
  found: readonly FoundFault[],
  mends: boolean,
): string[] {
  const total = Object.values(faults).reduce((sum, times) => sum + times, 0)
  if (total === 0) return [paint('green', `${table} has no inconsistencies: ${counted(read, 'item')} read.`)]
  const lines = found.map(({ code, type, row, name, tenant, mended: done }) => {
    const what = [type, row && rowText(layout, type, row), name].filter(Boolean).join(' ')
    const where = tenant === undefined ? what : `${what}, tenant ${tenant}`
    return `${paint(done ? 'green' : 'yellow', code)} ${where}${mends ? (done ? ': repaired' : ': left') : ''}`
  })
  if (total > lines.length) lines.push(`and ${total - lines.length} more (--json lists all)`)
  const codes = Object.entries(faults) as [keyof typeof FAULTS, number][]
  return [
    lines.join('\n'),
    codes.map(([code, times]) => `${times} × ${code}: ${FAULTS[code]}`).join('\n'),
    `${counted(read, 'item')} read, ${counted(total, 'inconsistency')}${mends ? `, ${mended} repaired` : ''}.`,
  ]
}

/** A row, which may be as large as an item: what tells it from all others, and as much of the rest as a line takes. */
function rowText({ graph }: Layout, name: string, row: FoundFault['row']): string {
  const type = [...graph.declared.nodes, ...graph.declared.edges].find(each => each.name === name)
  const own = type
    ? [...referencesOf(type).map(({ name }) => name), ...(type.kind === 'edge' ? type.key : type.id)]
    : []
  const identity = Object.fromEntries(own.filter(name => name in row).map(name => [name, row[name]]))
  const text = jsonOf({ ...identity, ...row })
  const length = Math.max(ROW_CHARACTERS, jsonOf(identity).length)
  return text.length > length ? `${text.slice(0, length)}…` : text
}
