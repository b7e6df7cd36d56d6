import { createReadStream } from 'node:fs'
import type { Readable, Transform } from 'node:stream'
import * as zlib from 'node:zlib'
import { FormatError } from '../../dynamodb/export/format-error.js'
import type { InputCompressionType } from '../../dynamodb/operation-types.js'

/** Node has zstd since 22.15. */
const { createZstdDecompress } = zlib as { createZstdDecompress?: () => Transform }

export const canReadZstd = createZstdDecompress !== undefined

/** The uncompressed bytes of a file, in chunks. */
export async function* readObject(path: string, compression: InputCompressionType): AsyncGenerator<Buffer> {
  const file = createReadStream(path, { highWaterMark: 256 * 1024 })
  const unpacked = unpack(file, compression)
  try {
    for await (const chunk of unpacked as AsyncIterable<Buffer>) yield chunk
  } catch (error) {
    throw readFailure(error as NodeJS.ErrnoException, compression)
  } finally {
    file.destroy()
    unpacked.destroy()
  }
}

function unpack(file: Readable, compression: InputCompressionType): Readable {
  if (compression === 'NONE') return file
  const unpacked = compression === 'GZIP' ? zlib.createGunzip() : createZstdDecompress!()
  file.on('error', error => unpacked.destroy(error))
  return file.pipe(unpacked)
}

function readFailure(error: NodeJS.ErrnoException, compression: InputCompressionType): Error {
  const isPacking = compression !== 'NONE' && /^(Z_|ZSTD|ERR_ZSTD|ERR_BUFFER)/.test(error.code ?? '')
  if (isPacking)
    return new FormatError(`the object is not a complete file in ${compression} (${error.message}); copy it again`)
  return new FormatError(`the object cannot be read: ${error.message}`)
}
