import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { forEachConcurrently } from '../../graph/run/concurrency.js'
import { GraphError } from '../../schema/error.js'
import type { AbortSignalLike } from '../../store/abort-signal.js'
import { DATA_FOLDER, dataFilePaths, SUMMARY } from './export-folder.js'
import { dumpFiles } from './read-dump.js'
import { S3Bucket, type S3Listing } from './s3-bucket.js'
import { sourceError } from './source-error.js'

/** Where downloaded files are stored, and what cancels their download. */
export interface DownloadOptions {
  readonly signal?: AbortSignalLike | undefined
  /** An existing folder; by default the system's for temporary files. */
  readonly temporaryFolder?: string | undefined
}

/** A bucket and the folder that mirrors it: the path of a file below the folder is the key of the object. */
interface Mirror {
  readonly bucket: S3Bucket
  readonly folder: string
}

const S3_URL = /^s3:\/\/([a-z0-9][\w.-]*)(?:\/(.*))?$/is
const DOWNLOADS_MAX = 8

/** Works on local paths: the objects of each `s3://` URL are in a temporary folder until the work has ended. */
export async function withDownloads<T>(
  paths: readonly string[],
  { signal, temporaryFolder }: DownloadOptions,
  work: (paths: readonly string[]) => Promise<T>,
): Promise<T> {
  if (!paths.some(isS3Url)) return work(paths)
  const folder = await mkdtemp(join(temporaryFolder ?? tmpdir(), 'edgewise-batch-s3-'))
  const mirrors: Mirror[] = []
  try {
    const local: string[] = []
    for (const [at, path] of paths.entries()) {
      if (!isS3Url(path)) {
        local.push(path)
        continue
      }
      const [bucketName, key] = parseS3Url(path)
      const mirror = { bucket: await S3Bucket.open(bucketName, signal), folder: join(folder, `${at}`, bucketName) }
      mirrors.push(mirror)
      local.push(await download(mirror, key))
    }
    return await work(local)
  } catch (error) {
    throw withUrls(error, mirrors)
  } finally {
    for (const { bucket } of mirrors) bucket.close()
    await rm(folder, { recursive: true, force: true })
  }
}

const isS3Url = (path: string) => path.startsWith('s3://')

function parseS3Url(url: string): [bucketName: string, key: string] {
  const [, bucketName, key = ''] = S3_URL.exec(url) ?? []
  if (bucketName === undefined) throw sourceError(url, 'it names no bucket', 'give a URL such as s3://bucket/prefix')
  return [bucketName, key]
}

/** The readers of local files name them in their errors; users know the URLs. */
function withUrls(error: unknown, mirrors: readonly Mirror[]): unknown {
  if (!(error instanceof GraphError) || error.code !== 'batch.source') return error
  const named = (text: string) =>
    mirrors.reduce((replaced, { bucket, folder }) => replaced.replaceAll(folder, bucket.urlOf('').slice(0, -1)), text)
  const { name } = error.details as { name?: string }
  return new GraphError(error.code, named(error.message), { ...(name !== undefined && { name: named(name) }) })
}

/** Downloads the export or the dump under a key. Resolves to its local path. */
async function download(mirror: Mirror, key: string): Promise<string> {
  const { bucket } = mirror
  const name = key.replace(/\/+$/, '')
  const prefix = name === '' ? '' : `${name}/`
  const listing = await bucket.list(prefix)
  const exports = await findExports(bucket, prefix, listing)
  if (exports.length > 1) {
    const some = exports.slice(0, 3).map(each => bucket.urlOf(each))
    throw sourceError(bucket.urlOf(key), `it holds ${exports.length} exports`, `give one of ${some.join(', ')}`)
  }
  if (exports.length === 1) return downloadExport(mirror, exports[0]!)
  if (listing.objects.length + listing.folders.length === 0) {
    const isObject = (await bucket.list(name)).objects.includes(name)
    if (!isObject) throw sourceError(bucket.urlOf(key), 'it does not exist', 'check the bucket and the prefix')
    await downloadObjects(mirror, [name])
    return localPath(mirror, name)
  }
  await mkdir(localPath(mirror, prefix), { recursive: true })
  const { items, rows } = dumpFiles(listing.objects)
  await downloadObjects(mirror, [...items, ...rows])
  return localPath(mirror, prefix)
}

/** The folders of exports that a prefix leads to, by the rules of a local folder. */
async function findExports(bucket: S3Bucket, prefix: string, listing: S3Listing): Promise<string[]> {
  if (listing.objects.includes(prefix + SUMMARY)) return [prefix]
  const data = `${prefix}${DATA_FOLDER}/`
  const { folders } = listing.folders.includes(data) ? await bucket.list(data) : listing
  const found: string[] = []
  await forEachConcurrently(folders, DOWNLOADS_MAX, async folder => {
    const summary = folder + SUMMARY
    if ((await bucket.list(summary)).objects.includes(summary)) found.push(folder)
  })
  return found.sort()
}

/** The manifests come first: they name the data files, which other exports may have in the same folder. */
async function downloadExport(mirror: Mirror, prefix: string): Promise<string> {
  const { objects } = await mirror.bucket.list(`${prefix}manifest-`)
  await downloadObjects(mirror, objects)
  const folder = localPath(mirror, prefix)
  const dataFiles = dataFilePaths(folder).map(path => resolveKey(mirror.bucket, prefix, path))
  await downloadObjects(mirror, dataFiles)
  return folder
}

/** The key of a path from a folder. */
function resolveKey(bucket: S3Bucket, prefix: string, path: string): string {
  let [above, below] = [prefix, path]
  while (below.startsWith('../')) {
    if (above === '')
      throw sourceError(bucket.urlOf(prefix), `its manifest names ${path} outside the bucket`, 'export the table again')
    above = above.replace(/[^/]*\/$/, '')
    below = below.slice(3)
  }
  return above + below
}

const downloadObjects = (mirror: Mirror, keys: readonly string[]): Promise<void> =>
  forEachConcurrently(keys, DOWNLOADS_MAX, key => mirror.bucket.download(key, localPath(mirror, key)))

/** A key may contain any folder names, and with these a file would be outside the folder. */
function localPath({ bucket, folder }: Mirror, key: string): string {
  if (key.split(/[/\\]/).some(name => name === '..' || name === '.'))
    throw sourceError(bucket.urlOf(key), "its key has a folder '.' or '..'", 'copy the object to another key')
  return join(folder, key)
}
