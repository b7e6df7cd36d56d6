import { once } from 'node:events'
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createGzip, type Gzip } from 'node:zlib'
import type { DataFileEntry } from '../../dynamodb/export/manifest.js'
import type { ExportFormat } from '../../dynamodb/operation-types.js'
import { md5, newMd5 } from '../md5.js'
import type { Bucket } from './bucket.js'

/** Of the text before it is compressed. */
const FILE_CHARACTERS = 128 * 1024 * 1024

/** The data files of an export, written one after another. */
export class DataFiles {
  readonly entries: DataFileEntry[] = []
  private current: DataFile | undefined
  private count = 0

  constructor(
    private readonly bucket: Bucket,
    /** The beginning of their keys. */
    private readonly folderKey: string,
    private readonly exportId: string,
    private readonly format: ExportFormat,
  ) {}

  async write(text: string, itemCount: number): Promise<void> {
    this.current ??= await this.begin()
    await this.current.write(text, itemCount)
    if (this.current.characters >= FILE_CHARACTERS) await this.end()
  }

  /** An export has at least one file, which may be empty. */
  async close(): Promise<void> {
    if (this.entries.length === 0) this.current ??= await this.begin()
    await this.end()
  }

  /** Removes everything that was written. */
  async discard(): Promise<void> {
    await this.current?.abandon()
    await removeDataFiles(this.bucket, this.folderKey, this.exportId, this.format)
  }

  private begin(): Promise<DataFile> {
    const key = this.folderKey + dataFileName(this.exportId, this.count++, this.format)
    return DataFile.open(this.bucket.pathOf(key), key)
  }

  private async end(): Promise<void> {
    if (this.current) this.entries.push(await this.current.close())
    this.current = undefined
  }
}

/** Removes the data files of an export. */
export async function removeDataFiles(bucket: Bucket, folderKey: string, exportId: string, format: ExportFormat) {
  for (let number = 0; ; number++) {
    const path = bucket.pathOf(folderKey + dataFileName(exportId, number, format))
    const isRemoved = await rm(path).then(
      () => true,
      () => false,
    )
    if (!isRemoved) return
  }
}

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567'
const BASE32_BITS = 5n
const NAME_CHARACTERS = 26

/** It looks random, as on AWS, and follows from the export, so that its files are found after a crash. */
function dataFileName(exportId: string, number: number, format: ExportFormat): string {
  let bits = BigInt(`0x${md5(`${exportId}/${number}`)}`)
  let name = ''
  for (let at = 0; at < NAME_CHARACTERS; at++) {
    name += BASE32[Number(bits & 31n)]
    bits >>= BASE32_BITS
  }
  return `${name}.${format === 'ION' ? 'ion' : 'json'}.gz`
}

/** A file that is compressed while it is written. */
class DataFile {
  characters = 0
  private itemCount = 0
  private readonly md5 = newMd5()
  private readonly gzip: Gzip = createGzip()
  private failure: unknown
  private readonly written: Promise<void>

  private constructor(
    private readonly file: FileHandle,
    private readonly key: string,
  ) {
    this.written = this.pump()
    // Reported by the next write.
    this.written.catch(error => {
      this.failure = error
      this.gzip.destroy()
    })
  }

  static async open(path: string, key: string): Promise<DataFile> {
    await mkdir(dirname(path), { recursive: true })
    return new DataFile(await open(path, 'w'), key)
  }

  async write(text: string, itemCount: number): Promise<void> {
    if (this.failure) throw this.failure
    this.characters += text.length
    this.itemCount += itemCount
    if (!this.gzip.write(text)) await Promise.race([once(this.gzip, 'drain'), this.written])
    if (this.failure) throw this.failure
  }

  async close(): Promise<DataFileEntry> {
    this.gzip.end()
    try {
      await this.written
      await this.file.sync()
    } finally {
      await this.file.close()
    }
    const digest = this.md5.digest()
    return {
      itemCount: this.itemCount,
      md5Checksum: digest.toString('base64'),
      // S3 gives this tag to an upload of one part.
      etag: `${md5(digest)}-1`,
      dataFileS3Key: this.key,
    }
  }

  async abandon(): Promise<void> {
    this.gzip.destroy()
    await this.written.catch(() => {})
    await this.file.close().catch(() => {})
  }

  private async pump(): Promise<void> {
    for await (const chunk of this.gzip as AsyncIterable<Buffer>) {
      this.md5.update(chunk)
      await this.file.writeFile(chunk)
    }
  }
}
