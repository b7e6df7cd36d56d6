import { type FileHandle, mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { IMPORT_ERRORS_LOGGED } from '../../dynamodb/limits.js'

/** Where in the source an error is. */
export interface ItemPointer {
  readonly bucket: string
  readonly key: string
  readonly itemIndex: number
}

/** The file of an import's errors, in the place of a log in CloudWatch. No bucket has a name that begins so. */
export const errorsFile = (exportsFolder: string, importId: string) =>
  join(exportsFolder, '_imports', importId, 'errors.jsonl')

/** Errors of items, one per line, in the form in which DynamoDB logs them. */
export class ImportErrors {
  count = 0
  private file: FileHandle | undefined

  constructor(
    readonly path: string,
    private readonly importArn: string,
  ) {}

  async add(itemS3Pointer: ItemPointer, message: string): Promise<void> {
    this.count++
    if (this.count > IMPORT_ERRORS_LOGGED) return
    this.file ??= await this.create()
    const { importArn } = this
    await this.file.writeFile(`${JSON.stringify({ itemS3Pointer, importArn, errorMessages: [message] })}\n`)
  }

  async close(): Promise<void> {
    await this.file?.close()
    this.file = undefined
  }

  private async create(): Promise<FileHandle> {
    await mkdir(dirname(this.path), { recursive: true })
    return open(this.path, 'w')
  }
}
