import { readFile } from 'node:fs/promises'
import { keyOfLine } from '../batch/validation/findings.js'
import type { Key } from '../dynamodb/attribute-value.js'
import { open } from '../graph/open.js'
import type { FoundFault } from '../jobs/index.js'
import { inspectItems } from '../jobs/verify/verify.js'
import { CommandFailure } from './command-failure.js'
import { rethrowTableError } from './connection/table-errors.js'
import { runWithStore } from './connection/with-store.js'
import { toReadFailure } from './files/file-failures.js'
import type { InspectOptions } from './inspect-options.js'
import { print, printJson } from './terminal/output.js'
import { abortOnStop } from './terminal/stop-signal.js'
import { formatReport, UNREPAIRED_ADVICE } from './verify/command.js'

/** Repairs the items of a file of findings, as they are in the table now. */
export async function repairFindings(
  file: string,
  options: InspectOptions & { readonly findings: string },
): Promise<void> {
  const keys = await keysIn(options.findings)
  await runWithStore(file, options, async on => {
    const { layout, store, table } = on
    const opened = await open(layout, store, { table, follow: false, create: false }).catch(rethrowTableError(on))
    const found: FoundFault[] = []
    const onFault = (fault: FoundFault) => found.push(fault)
    const done = await inspectItems(opened, keys, true, { signal: abortOnStop(), onFault })
    if (options.json) printJson({ table, ...done, found })
    else print(...formatReport(layout, table, done, found, true))
    if (found.some(({ repaired }) => !repaired)) throw new CommandFailure(UNREPAIRED_ADVICE)
  })
}

async function keysIn(path: string): Promise<Key[]> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw toReadFailure(path, error)
  })
  const lines = text.split('\n').filter(line => line.trim() !== '')
  const keys = lines.map((line, at) => {
    const key = keyOfLine(line)
    if (!key)
      throw new CommandFailure(
        `${path}:${at + 1}: the line is not a finding; give the file that \`edgewise verify --findings\` wrote.`,
      )
    return key
  })
  return [...new Map(keys.map(key => [JSON.stringify(key), key])).values()]
}
