import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type BatchOptions, openBatch } from '../../src/batch/index.js'
import { memory } from '../../src/engine/index.js'
import { counter, edge, graph, node, open, string } from '../../src/index.js'
import { exportTable, itemLine, itemsIn, writeExport } from './export-files.js'
import { type S3ServerOptions, s3Server } from './s3-server.js'

const user = node('user', { id: string(), followers: counter() }, { id: 'id' })
const follow = edge('follow', { follower: user, followed: user }, {}, { count: { followed: 'followers' } })
const social = graph('social', [user, follow])

let folder: string
let temporaryFolder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'edgewise-s3-'))
  temporaryFolder = join(folder, 'temporary')
  mkdirSync(join(folder, 'buckets', 'backups'), { recursive: true })
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

async function serve(options?: S3ServerOptions) {
  const server = await s3Server(join(folder, 'buckets'), options)
  configure(server.url)
  return server
}

function configure(url: string) {
  vi.stubEnv('AWS_ENDPOINT_URL_S3', url)
  vi.stubEnv('AWS_REGION', 'eu-west-1')
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test')
}

async function filled() {
  const store = memory({ exports: join(folder, 'buckets'), transitionMs: 0 })
  const g = await open(social, store)
  for (const id of ['ann', 'bob', 'cy']) await g.user.put({ id })
  await g.follow.put({ follower: 'ann', followed: 'bob' })
  return { store, g }
}

/** Exports the table by the engine. Resolves to the prefix of its manifests. */
async function exportToBucket(store: ReturnType<typeof memory>, S3Prefix?: string): Promise<string> {
  await store.updateContinuousBackups({
    TableName: 'social',
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
  })
  const TableArn = (await store.describeTable({ TableName: 'social' })).Table!.TableArn!
  const input = { TableArn, S3Bucket: 'backups', ...(S3Prefix !== undefined && { S3Prefix }) }
  const { ExportArn } = (await store.exportTableToPointInTime(input)).ExportDescription!
  await expect
    .poll(async () => (await store.describeExport({ ExportArn: ExportArn! })).ExportDescription!.ExportStatus)
    .toBe('COMPLETED')
  const { ExportDescription } = await store.describeExport({ ExportArn: ExportArn! })
  return dirname(ExportDescription!.ExportManifest!)
}

async function read(from: BatchOptions['from'], options: Partial<BatchOptions> = {}) {
  await using data = await openBatch(social, { from, temporaryFolder, ...options })
  const users = await data.rows('SELECT * FROM "user" ORDER BY id')
  const follows = await data.rows('SELECT follower, followed FROM follow ORDER BY follower')
  return { users, follows, items: data.items, moment: data.moment }
}

const bucketPath = (...names: string[]) => join(folder, 'buckets', 'backups', ...names)
const temporaryFiles = () => readdirSync(temporaryFolder).filter(name => name.startsWith('edgewise-batch-s3-'))

describe('a batch reads an s3:// URL', () => {
  it('an export is read by its folder, its prefix and its bucket, as from the local folder', async () => {
    const { store } = await filled()
    const path = await exportToBucket(store, 'nightly/social')
    const expected = await read(bucketPath(path))
    expect(expected).toMatchObject({ items: 5, follows: [{ follower: 'ann', followed: 'bob' }] })
    const { requests } = await serve()
    for (const url of [path, `${path}/`, 'nightly/social', 'nightly/social/AWSDynamoDB'])
      expect(await read(`s3://backups/${url}`)).toEqual(expected)
    expect(requests).toContain(`GET ${path}/manifest-files.json`)
    expect(temporaryFiles()).toEqual([])
    await exportToBucket(store)
    expect((await read('s3://backups')).users).toEqual(expected.users)
  })

  it('page by page, and downloads at most eight objects at once', async () => {
    const { store } = await filled()
    const lines = (await itemsIn(store, 'social')).map(itemLine)
    const path = writeExport(bucketPath(), { id: 'one', files: [...lines.map(line => [line]), ...Array(20).fill([])] })
    for (const id of ['three', 'two']) mkdirSync(bucketPath('AWSDynamoDB', id))
    for (const id of ['three', 'two']) writeFileSync(bucketPath('AWSDynamoDB', id, '_started'), '')
    const held: (() => void)[] = []
    const holdEight: S3ServerOptions['onGet'] = (key, response, bytes) => {
      if (!key.endsWith('.gz') || held.length === 8) return false
      held.push(() => response.end(bytes))
      const release = () => {
        for (const send of held) send()
      }
      if (held.length === 8) setTimeout(release, 50)
      return true
    }
    const { requests, sentAtOnce } = await serve({ pageSize: 2, onGet: holdEight })
    expect(await read('s3://backups')).toEqual(await read(path))
    expect(requests.filter(request => request === 'LIST AWSDynamoDB/')).toHaveLength(2)
    expect(requests.some(request => request.includes('_started'))).toBe(false)
    expect(sentAtOnce()).toBe(8)
  })

  it('a full export may be followed by a local incremental export, or by one in S3 with shared data files', async () => {
    const { store } = await filled()
    const full = await exportTable(store, 'social', bucketPath(), '2026-11-01T00:00:00Z')
    const Keys = { PK: { S: 'user#ann' }, SK: { S: '#' } }
    const files = [[JSON.stringify({ Keys })]]
    const period = { since: '2026-11-01T00:00:00Z', moment: '2026-11-02T00:00:00Z' }
    const increment = writeExport(bucketPath(), { id: 'increment', files, ...period })
    writeFileSync(bucketPath('AWSDynamoDB', 'data', 'other.json.gz'), 'of another export')
    const { requests } = await serve()
    const urls = [full, increment].map(path => `s3://backups${path.slice(bucketPath().length)}`)
    const expected = await read([full, increment])
    expect(expected.users.map(({ id }) => id)).toEqual(['bob', 'cy'])
    expect(await read(urls)).toEqual(expected)
    expect(await read([urls[0]!, increment])).toEqual(expected)
    expect(requests.some(request => request.includes('other.json.gz'))).toBe(false)
  })

  it('an export that was copied to another prefix is read', async () => {
    const { store } = await filled()
    // Its manifests have keys without this prefix.
    const path = await exportTable(store, 'social', bucketPath('copies'))
    await serve()
    expect(await read('s3://backups/copies')).toEqual(await read(path))
  })

  it('a dump is read by its folder and by one file, and keeps the time of its objects', async () => {
    mkdirSync(bucketPath('rows', 'sub'), { recursive: true })
    writeFileSync(bucketPath('rows', 'user.jsonl'), '{"type":"user","id":"ann"}\n{"type":"user","id":"bob"}\n')
    writeFileSync(bucketPath('rows', 'follow.csv'), 'follower,followed\nann,bob\n')
    for (const name of ['notes.txt', 'sub/user.jsonl']) writeFileSync(bucketPath('rows', name), 'not of the dump')
    const changed = new Date('2026-10-01T00:00:00Z')
    for (const name of ['user.jsonl', 'follow.csv']) utimesSync(bucketPath('rows', name), changed, changed)
    const { requests } = await serve()
    const expected = await read(bucketPath('rows'))
    expect(expected.moment).toEqual(changed)
    expect(await read('s3://backups/rows')).toEqual(expected)
    expect(requests.filter(request => /notes|sub\/user/.test(request) && request.startsWith('GET'))).toEqual([])
    expect((await read('s3://backups/rows/user.jsonl')).users).toEqual(expected.users)
  })

  it('again when the connection breaks off within an object', async () => {
    const { store } = await filled()
    const path = await exportTable(store, 'social', bucketPath())
    let broken = 0
    const breakOff: S3ServerOptions['onGet'] = (key, response, bytes) => {
      if (!key.endsWith('.gz') || broken === 2) return false
      broken++
      response.writeHead(200, { 'content-length': bytes.length })
      response.write(bytes.subarray(0, 10), () => response.destroy())
      return true
    }
    await serve({ onGet: breakOff })
    expect(await read('s3://backups')).toEqual(await read(path))
    expect(broken).toBe(2)
  })
})

describe('a batch refuses an s3:// URL', () => {
  afterEach(() => expect(temporaryFiles()).toEqual([]))

  const refused = async (url: string, message: string | RegExp) => {
    const error = await read(url).catch(each => each)
    expect(error).toMatchObject({ code: 'batch.source', message: expect.stringMatching(message) })
    expect(error.message).not.toContain(temporaryFolder)
  }

  it('without a bucket, of a missing bucket, and of a missing prefix', async () => {
    await serve()
    await refused('s3:///x', 's3:///x: it names no bucket; give a URL such as s3://bucket/prefix.')
    await refused('s3://nowhere/x', 's3://nowhere/x/: the bucket does not exist; correct the name of the bucket')
    await refused('s3://backups/none', 's3://backups/none: it does not exist; check the bucket and the prefix.')
  })

  it('objects that may not be read are reported', async () => {
    await serve({ denied: ['backups'] })
    const advice = 'check the AWS credentials, and allow s3:ListBucket and s3:GetObject.'
    await refused('s3://backups/x', `s3://backups/x/: access is denied \\(AccessDenied\\); ${advice}`)
  })

  it('a prefix with several exports, or with neither an export nor a dump, is rejected', async () => {
    await serve()
    writeFileSync(bucketPath('notes.txt'), '')
    await refused('s3://backups', 's3://backups: it holds neither an export nor a dump')
    for (const id of ['one', 'two']) writeExport(bucketPath(), { id, files: [[]] })
    const names = 's3://backups/AWSDynamoDB/one/, s3://backups/AWSDynamoDB/two/'
    await refused('s3://backups', `it holds 2 exports; give one of ${names}.`)
  })

  it('a damaged object and a missing object are reported by their URL', async () => {
    const { store } = await filled()
    const path = await exportTable(store, 'social', bucketPath())
    const [name] = readdirSync(join(path, 'data'))
    const url = `s3://backups${path.slice(bucketPath().length)}/data/${name}`
    await serve()
    truncateSync(join(path, 'data', name!), 40)
    await refused('s3://backups', `^${url}: its MD5 checksum is`)
    rmSync(join(path, 'data', name!))
    await refused('s3://backups', `^${url}: the object is missing; export the table again.`)
  })

  it('an export whose manifest names files outside the bucket is rejected', async () => {
    const path = writeExport(bucketPath(), { id: 'one', files: [[]] })
    const manifest = join(path, 'manifest-files.json')
    writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('AWSDynamoDB/one/data', '../../etc'))
    rmSync(join(path, 'manifest-files.checksum'))
    await serve()
    await refused('s3://backups', 'its manifest names .* outside the bucket; export the table again.')
  })

  it('without a region, and without a server', async () => {
    const { url } = await serve()
    vi.stubEnv('AWS_REGION', undefined)
    vi.stubEnv('AWS_CONFIG_FILE', join(folder, 'none'))
    await refused('s3://backups', 'no AWS region is set; set AWS_REGION')
    configure(url.replace(/\d+$/, '1'))
    await refused('s3://backups', /it cannot be read \(.*ECONNREFUSED.*\); check the connection/)
  })

  it('whose download is aborted, and rejects with the reason', async () => {
    const { store } = await filled()
    await exportTable(store, 'social', bucketPath())
    const controller = new AbortController()
    const reason = new Error('stopped')
    const hang: S3ServerOptions['onGet'] = (key, response, bytes) => {
      if (!key.endsWith('.gz')) return false
      response.writeHead(200, { 'content-length': bytes.length })
      response.write(bytes.subarray(0, 10), () => controller.abort(reason))
      return true
    }
    await serve({ onGet: hang })
    await expect(read('s3://backups', { signal: controller.signal })).rejects.toBe(reason)
  })
})
