import type { FileHandle } from 'node:fs/promises'

/** Writes all of it, or rejects: where a disk becomes full, the system writes a part and complains only of the next. */
export async function writeFully(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let writtenBytes = 0; writtenBytes < bytes.length; )
    writtenBytes += (await file.write(bytes, writtenBytes, bytes.length - writtenBytes, position + writtenBytes))
      .bytesWritten
}
