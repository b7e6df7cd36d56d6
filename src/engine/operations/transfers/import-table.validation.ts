import type { CreateTableInput, ImportTableInput } from '../../../dynamodb/operation-types.js'
import { validationError } from '../../errors.js'
import { checkPrefix } from '../../transfers/bucket.js'
import { canReadZstd } from '../../transfers/import-object.js'
import { validateCreateTable } from '../tables/create-table.validation.js'

/** Checks a request without the state of the engine. Returns the request that creates the table. */
export function validateImport(request: ImportTableInput): CreateTableInput {
  const { InputFormat, InputFormatOptions, InputCompressionType, S3BucketSource } = request
  if (InputFormat !== 'CSV' && InputFormatOptions !== undefined)
    throw validationError(`Invalid Request: Unsupported InputFormatOptions for the given input format: ${InputFormat}.`)
  if (InputCompressionType === 'ZSTD' && !canReadZstd)
    throw validationError(
      'InputCompressionType ZSTD requires Node.js 22.15 or later; use GZIP or NONE, or update Node.js',
    )
  checkPrefix('S3KeyPrefix', S3BucketSource.S3KeyPrefix)
  const definition: CreateTableInput = structuredClone(request.TableCreationParameters)
  validateCreateTable(definition)
  return definition
}
