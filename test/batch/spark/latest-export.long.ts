import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { programPath } from '../../../src/batch/spark/program-file.js'

/** Calls the function of the program without a session of Spark: files are read by Python. */
const FIND = `
import os, sys
sys.path.insert(0, sys.argv[1])
import edgewise_batch as program
class LocalFiles:
    exists = staticmethod(os.path.exists)
    folders = staticmethod(lambda path: sorted(each.path for each in os.scandir(path) if each.is_dir()))
    read = staticmethod(lambda path: open(path, 'rb').read())
try:
    print(program.find_latest_export(LocalFiles, sys.argv[2]))
except program.PlanError as error:
    print(f'{error.code}: {error}')
`
const TABLE = 'arn:aws:dynamodb:eu-west-1:123456789012:table/cinema'

let bucket: string
beforeEach(() => {
  bucket = mkdtempSync(join(tmpdir(), 'edgewise-exports-'))
})
afterEach(() => rmSync(bucket, { recursive: true }))

const latest = () => execFileSync('python3', ['-c', FIND, dirname(programPath()), bucket], { encoding: 'utf8' }).trim()

/** Makes the folder of an export; without a summary it is incomplete. Returns the folder. */
function exportFolder(id: string, summary?: object): string {
  const folder = join(bucket, 'AWSDynamoDB', id)
  mkdirSync(join(folder, 'data'), { recursive: true })
  const text = JSON.stringify({ tableArn: TABLE, outputFormat: 'DYNAMODB_JSON', ...summary })
  if (summary) writeFileSync(join(folder, 'manifest-summary.json'), text)
  return folder
}

it('the latest export is the complete full export with the latest time', () => {
  exportFolder('01700000000003-a', { exportTime: '2026-11-01T01:00:00.000Z' })
  const newest = exportFolder('01700000000001-b', { exportTime: '2026-11-03T01:00:00.000Z', exportType: 'FULL_EXPORT' })
  exportFolder('01700000000002-c', { exportTime: '2026-11-02T23:00:00.000Z' })
  const times = { exportFromTime: '2026-11-03T01:00:00.000Z', exportToTime: '2026-11-04T01:00:00.000Z' }
  exportFolder('01700000000004-d', { ...times, exportType: 'INCREMENTAL_EXPORT' })
  exportFolder('01700000000005-e')
  exportFolder('data')
  expect(latest()).toBe(newest)
})

it('a folder without a complete full export has no latest export', () => {
  const message = `batch.source: ${bucket}: it holds no complete full export; export the table to it, or wait for its export.`
  expect(latest()).toBe(message)
  exportFolder('01700000000000-a')
  expect(latest()).toBe(message)
})

it('a folder with exports of two tables has no latest export', () => {
  exportFolder('01700000000000-a', { exportTime: '2026-11-01T01:00:00.000Z' })
  exportFolder('01700000000001-b', { exportTime: '2026-11-02T01:00:00.000Z', tableArn: `${TABLE}-test` })
  expect(latest()).toBe(
    `batch.source: ${bucket}: it holds exports of 2 tables (${TABLE}, ${TABLE}-test); export each table to a folder of its own.`,
  )
})

it('a summary without a time is rejected with its path', () => {
  const folder = exportFolder('01700000000000-a', {})
  expect(latest()).toContain(`${folder}/manifest-summary.json: it is not the summary of an export`)
})
