import type { FileHandle } from 'node:fs/promises'

/**
 * Writes all bytes, or rejects: on a full disk, the system writes a part and reports an error only for the next write.
 */
export async function writeFully(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let writtenBytes = 0; writtenBytes < bytes.length; )
    writtenBytes += (await file.write(bytes, writtenBytes, bytes.length - writtenBytes, position + writtenBytes))
      .bytesWritten
}
