import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Store } from 'edgewise'
import type { Item } from 'edgewise/dynamodb'
import { itemToJson } from 'edgewise/jobs'

/** Files of an export, as DynamoDB writes them to S3. */
export interface ExportedFiles {
  readonly id?: string
  readonly moment?: string
  /** Of an incremental export. */
  readonly since?: string
  /** Lines of the format, by file. */
  readonly files: readonly (readonly string[])[]
  readonly format?: 'DYNAMODB_JSON' | 'ION'
}

const md5 = (bytes: Uint8Array | string) => createHash('md5').update(bytes).digest('base64')

/** Writes an export below a folder, which stands for the bucket, and returns the folder of its manifests. */
export function writeExport(
  bucket: string,
  { id = '01700000000000-a1b2c3d4', moment, since, files, format = 'DYNAMODB_JSON' }: ExportedFiles,
): string {
  const folder = join(bucket, 'AWSDynamoDB', id)
  const data = since === undefined ? join(folder, 'data') : join(bucket, 'AWSDynamoDB', 'data')
  mkdirSync(folder, { recursive: true })
  mkdirSync(data, { recursive: true })
  const entries = files.map((lines, at) => {
    const name = `${id.slice(0, 6)}${at}.${format === 'ION' ? 'ion' : 'json'}.gz`
    const bytes = gzipSync(lines.map(line => `${line}\n`).join(''))
    writeFileSync(join(data, name), bytes)
    const key = since === undefined ? `AWSDynamoDB/${id}/data/${name}` : `AWSDynamoDB/data/${name}`
    return { itemCount: lines.length, md5Checksum: md5(bytes), etag: 'e', dataFileS3Key: key }
  })
  writeManifest(folder, 'manifest-files', entries.map(entry => `${JSON.stringify(entry)}\n`).join(''))
  const time = moment ?? new Date().toISOString()
  const period = since === undefined ? { exportTime: time } : { exportFromTime: since, exportToTime: time }
  writeManifest(
    folder,
    'manifest-summary',
    JSON.stringify({
      version: since === undefined ? '2020-06-30' : '2023-08-01',
      s3Bucket: 'bucket',
      s3Prefix: null,
      manifestFilesS3Key: `AWSDynamoDB/${id}/manifest-files.json`,
      itemCount: entries.reduce((sum, { itemCount }) => sum + itemCount, 0),
      outputFormat: format,
      ...(since !== undefined && { exportType: 'INCREMENTAL_EXPORT', outputView: 'NEW_IMAGE' }),
      ...period,
    }),
  )
  return folder
}

function writeManifest(folder: string, name: string, text: string): void {
  writeFileSync(join(folder, `${name}.json`), text)
  writeFileSync(join(folder, `${name}.checksum`), md5(text))
}

export const itemLine = (item: Item): string => `{"Item":${itemToJson(item)}}`

/** Every item of a table, which a small one returns in one page. */
export async function itemsIn(store: Store, table: string): Promise<Item[]> {
  const items: Item[] = []
  let from: Item | undefined
  do {
    const page = await store.scan({ TableName: table, ...(from && { ExclusiveStartKey: from }) })
    items.push(...((page.Items ?? []) as Item[]))
    from = page.LastEvaluatedKey as Item | undefined
  } while (from)
  return items
}

/** Exports a table in full, in two files. */
export async function exportTable(store: Store, table: string, bucket: string, moment?: string): Promise<string> {
  const lines = (await itemsIn(store, table)).map(itemLine)
  const half = Math.ceil(lines.length / 2)
  return writeExport(bucket, { ...(moment && { moment }), files: [lines.slice(0, half), lines.slice(half)] })
}
