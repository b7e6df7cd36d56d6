import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { parseFilesManifest } from '../../dynamodb/export/manifest.js'
import { newMd5 } from '../md5.js'

/** The MD5 of a file, in base64. */
export async function fileChecksum(path: string): Promise<string> {
  const md5 = newMd5()
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) md5.update(chunk as Buffer)
  return md5.digest().toString('base64')
}

/** The checksums that the manifest of an export names, by the name of the data file; none without a manifest. */
export async function manifestChecksums(manifestPath: string): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(manifestPath, 'utf8').catch(() => undefined)
  if (text === undefined) return new Map()
  return new Map(
    parseFilesManifest(text, manifestPath).map(({ dataFileS3Key, md5Checksum }) => [
      dataFileS3Key.slice(dataFileS3Key.lastIndexOf('/') + 1),
      md5Checksum,
    ]),
  )
}
