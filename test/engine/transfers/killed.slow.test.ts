import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Disk, disk } from '../../../src/engine/index.js'
import { builtProgram } from '../disk/programs/build-program.js'
import { temporaryFolder } from '../disk/temporary-folder.js'
import { filesOf, itemsOf, S3Bucket } from './transferring.js'

const KILLS = 6
const KILLED_AFTER_MS_MAX = 400

async function transferUntilKilled(program: string, words: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [program, ...words], { stdio: ['ignore', 'pipe', 'pipe'] })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', text => {
    errors += text
  })
  const ended = once(child, 'exit')
  await Promise.race([once(child.stdout, 'data'), ended])
  await sleep(Math.random() * KILLED_AFTER_MS_MAX)
  child.kill('SIGKILL')
  const [, signal] = await ended
  expect({ signal, errors }).toEqual({ signal: 'SIGKILL', errors: '' })
}

async function all<Page, Item>(
  list: (NextToken?: string) => Promise<Page & { NextToken?: string | undefined }>,
  of: (page: Page) => readonly Item[],
): Promise<Item[]> {
  const found: Item[] = []
  for (let token: string | undefined; ; ) {
    const page = await list(token)
    found.push(...of(page))
    token = page.NextToken
    if (token === undefined) return found
  }
}

/** Every export is whole or failed, and so is every import. */
async function check(store: Disk, folder: string): Promise<void> {
  const exports = await all(
    NextToken => store.listExports({ ...(NextToken && { NextToken }) }),
    page => page.ExportSummaries!,
  )
  expect(exports.length).toBeGreaterThan(0)
  for (const { ExportArn } of exports) {
    const described = (await store.describeExport({ ExportArn: ExportArn! })).ExportDescription!
    const id = ExportArn!.split('/').at(-1)!
    if (described.ExportStatus === 'COMPLETED') expect(itemsOf(folder, described)).toHaveLength(described.ItemCount!)
    else {
      expect([described.ExportStatus, described.FailureCode]).toEqual(['FAILED', 'Interrupted'])
      const left = () => filesOf(folder).filter(file => file.includes(id) && !file.endsWith('_started'))
      await expect.poll(left).toEqual([])
    }
  }
  const imports = await all(
    NextToken => store.listImports({ ...(NextToken && { NextToken }) }),
    page => page.ImportSummaryList!,
  )
  const { TableNames } = await store.listTables({ Limit: 100 })
  for (const { ImportArn, ImportStatus, TableArn } of imports) {
    const name = TableArn!.split('/').at(-1)!
    expect([ImportArn, ImportStatus, TableNames!.includes(name)]).toEqual([
      ImportArn,
      ImportStatus,
      ImportStatus === 'COMPLETED',
    ])
    if (ImportStatus !== 'COMPLETED') continue
    const { Table } = await store.describeTable({ TableName: name })
    expect([Table!.TableStatus, Table!.ItemCount! >= 5000]).toEqual(['ACTIVE', true])
  }
}

test(`exports and imports are whole or failed after each of ${KILLS} kills`, { timeout: 120_000 }, async () => {
  const program = await builtProgram(new URL('transferrer.ts', import.meta.url))
  const folder = temporaryFolder()
  const [path, exports] = [join(folder, 'data'), join(folder, 'exports')]
  for (let kill = 0; kill < KILLS; kill++) {
    await transferUntilKilled(program, [path, exports])
    const store = disk(path, { exports, sync: false })
    if (existsSync(join(exports, S3Bucket))) await check(store, exports)
    await store.close()
  }
})
