import { open } from '../../graph/open.js'
import {
  FAULTS,
  type FaultCode,
  type FoundFault,
  repair,
  type VerifyOptions,
  type VerifyResult,
  verify,
} from '../../jobs/index.js'
import { columnValueOf, setColumnValue } from '../../jobs/rows/columns.js'
import { fromCellText, fromJsonValue } from '../../jobs/rows/json-values.js'
import type { Layout } from '../../layout/layout.js'
import type { DeclaredType } from '../../layout/slots.js'
import { identityMembers, type RowMember, referencesOf } from '../../plan/members.js'
import { CommandFailure, InterruptedFailure, UsageFailure } from '../command-failure.js'
import { rethrowTableError } from '../connection/table-errors.js'
import { runWithStore } from '../connection/with-store.js'
import { selectTypes } from '../graph-file/selected-types.js'
import type { InspectOptions } from '../inspect-options.js'
import { storeName } from '../load/checkpoint.js'
import { formatCount, formatJson, paint, print, printJson } from '../terminal/output.js'
import { startProgressLine } from '../terminal/progress-line.js'
import { abortOnStop, StopSignalError } from '../terminal/stop-signal.js'
import { addVerified, InspectionCheckpoint } from './checkpoint.js'

/** The number of faults to list individually. */
const FAULTS_SHOWN_MAX = 20
/** The number of characters of a row to show. */
const ROW_CHARACTERS = 200

/** Checks or repairs a table with progress output; fails if an inconsistency remains. */
export async function verifyCommand(file: string, options: InspectOptions, repairs: boolean): Promise<void> {
  if (options.id !== undefined && options.type === undefined)
    throw new UsageFailure('--id: the type of the node or edge is missing; add --type.')
  await runWithStore(file, options, async context => {
    const { layout, store, table } = context
    const { fingerprint } = layout
    const { type: typeName, id: idText, tenant } = options
    const identity = {
      fingerprint,
      table,
      store: storeName(options),
      type: typeName,
      id: idText,
      tenant,
      repairs,
    }
    const [type] = selectTypes(layout, options.type === undefined ? undefined : [options.type])
    const id = options.id === undefined ? undefined : idOf(type!, options.id)
    const opened = await open(layout, store, { table, follow: false, create: false }).catch(rethrowTableError(context))
    const found: FoundFault[] = []
    const done = await runInspection(opened, { ...options, id }, identity, found)
    if (options.json) printJson({ table, ...done, found })
    else if (idText !== undefined && done.read === 0) print(`No ${type!.name} '${idText}' and no edge of it was found.`)
    else print(...formatReport(layout, table, done, found, repairs))
    const unrepaired = Object.values(done.faults).reduce((sum, times) => sum + times, 0) - done.repaired
    if (unrepaired > 0)
      throw new CommandFailure(
        repairs
          ? UNREPAIRED_ADVICE
          : 'verify: the table has inconsistencies; run `edgewise repair` with the same options to repair them.',
      )
  })
}

export const UNREPAIRED_ADVICE =
  'repair: some inconsistencies need a decision, or changed during the run; run `edgewise verify` to list them.'

async function runInspection(
  opened: object,
  options: Omit<InspectOptions, 'id'> & { readonly id: unknown },
  identity: { readonly repairs: boolean },
  found: FoundFault[],
): Promise<VerifyResult> {
  const { type, id, tenant, checkpoint } = options
  const savedInspection = checkpoint === undefined ? undefined : await InspectionCheckpoint.openAt(checkpoint, identity)
  const previous = savedInspection?.previous
  const collectFault = (fault: FoundFault) => {
    if (options.json || found.length < FAULTS_SHOWN_MAX) found.push(fault)
  }
  for (const fault of (await savedInspection?.readFaults()) ?? []) collectFault(fault)
  let since: FoundFault[] = []
  const counts: Partial<Record<FaultCode, number>> = {}
  const line = startProgressLine()
  const jobOptions: VerifyOptions = {
    ...(type !== undefined && { type }),
    ...(id !== undefined && { id }),
    ...(tenant !== undefined && { tenant }),
    ...(previous && { cursor: previous.cursor }),
    signal: abortOnStop(),
    onFault: fault => {
      counts[fault.code] = (counts[fault.code] ?? 0) + 1
      collectFault(fault)
      if (savedInspection) since.push(fault)
    },
    progress: async ({ read, faults, repaired, cursor }) => {
      line.update(
        () => `${read.toLocaleString('en-US')} items, ${formatCount(faults, 'inconsistency')}, ${repaired} repaired`,
      )
      const done = addVerified(previous?.done, { read, repaired, faults: counts })
      if (cursor === undefined) await savedInspection?.remove()
      else await savedInspection?.save(cursor, done, since)
      since = []
    },
  }
  try {
    return addVerified(
      previous?.done,
      await (identity.repairs ? repair(opened, jobOptions) : verify(opened, jobOptions)),
    )
  } catch (error) {
    if (!(error instanceof StopSignalError)) throw error
    const advice = savedInspection
      ? 'run the same command again to continue'
      : 'add --checkpoint FILE to be able to continue'
    throw new InterruptedFailure(
      `${identity.repairs ? 'repair' : 'verify'}: a signal stopped the command; ${advice}.`,
      error,
    )
  } finally {
    await savedInspection?.close()
    line.clear()
  }
}

/** An id of several parts is JSON; any other text is the only part. */
function idOf(type: DeclaredType, text: string): unknown {
  const [first, ...more] = identityMembers(type)
  if (type.kind === 'edge' || !first) return text
  if (more.length === 0) return fromCellText(first.attribute, text, first.slot)
  const id = documentOf(text, [first, ...more])
  for (const member of [first, ...more])
    setColumnValue(id, member, fromJsonValue(member.attribute, columnValueOf(id, member), member.slot))
  return id
}

function documentOf(text: string, parts: readonly RowMember[]): Record<string, unknown> {
  const id = parseJsonOrUndefined(text)
  if (typeof id === 'object' && id !== null) return { ...id }
  const form: Record<string, unknown> = {}
  for (const part of parts) setColumnValue(form, part, '…')
  throw new CommandFailure(
    `--id ${text}: this is not JSON of the parts of the id; use the form '${JSON.stringify(form).replaceAll('"…"', '…')}'.`,
  )
}

function parseJsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function formatReport(
  layout: Layout,
  table: string,
  { read, repaired, faults }: VerifyResult,
  found: readonly FoundFault[],
  repairs: boolean,
): string[] {
  const total = Object.values(faults).reduce((sum, times) => sum + times, 0)
  if (total === 0) return [paint('green', `${table} has no inconsistencies: ${formatCount(read, 'item')} read.`)]
  const lines = found.map(({ code, type, row, name, tenant, repaired: isRepaired }) => {
    const subject = [type, row && formatRow(layout, type, row), name].filter(Boolean).join(' ')
    const where = tenant === undefined ? subject : `${subject}, tenant ${tenant}`
    return `${paint(isRepaired ? 'green' : 'yellow', code)} ${where}${repairs ? (isRepaired ? ': repaired' : ': left') : ''}`
  })
  if (total > lines.length) lines.push(`and ${total - lines.length} more (--json lists all)`)
  const codes = Object.entries(faults) as [keyof typeof FAULTS, number][]
  return [
    lines.join('\n'),
    codes.map(([code, times]) => `${times} × ${code}: ${FAULTS[code]}`).join('\n'),
    `${formatCount(read, 'item')} read, ${formatCount(total, 'inconsistency')}${repairs ? `, ${repaired} repaired` : ''}.`,
  ]
}

/** Formats a row, which may be as large as an item: its identity, then as many attributes as fit in a line. */
function formatRow({ graph }: Layout, name: string, row: FoundFault['row']): string {
  const type = [...graph.declared.nodes, ...graph.declared.edges].find(candidate => candidate.name === name)
  const identityNames = type
    ? [...referencesOf(type).map(({ name }) => name), ...(type.kind === 'edge' ? type.key : type.id)]
    : []
  const identity = Object.fromEntries(identityNames.filter(name => name in row).map(name => [name, row[name]]))
  const text = formatJson({ ...identity, ...row })
  const length = Math.max(ROW_CHARACTERS, formatJson(identity).length)
  return text.length > length ? `${text.slice(0, length)}…` : text
}
