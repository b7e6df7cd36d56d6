import type { FileHandle } from 'node:fs/promises'

/** Writes all of it, or rejects: where a disk becomes full, the system writes a part and complains only of the next. */
export async function writeWhole(file: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < bytes.length; )
    done += (await file.write(bytes, done, bytes.length - done, at + done)).bytesWritten
}
