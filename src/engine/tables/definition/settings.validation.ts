import { TABLE_TAGS, TABLE_TAGS_BYTES, TAG_KEY_CHARACTERS, TAG_VALUE_CHARACTERS } from '../../../dynamodb/limits.js'
import type { SSESpecification, StreamSpecification, Tag } from '../../../dynamodb/operation-types.js'
import { countUtf8Bytes } from '../../../dynamodb/size.js'
import { invalidParameterError, validationError } from '../../errors.js'

const TAG_CHARACTERS = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u

export function checkNewStream({ StreamEnabled, StreamViewType }: StreamSpecification): void {
  if (StreamEnabled && !StreamViewType) {
    throw invalidParameterError('Table is being created with a stream enabled, UpdateViewType is required')
  }
  if (!StreamEnabled && StreamViewType) {
    throw invalidParameterError('Table is being created with a stream disabled, UpdateViewType should not be specified')
  }
}

export function checkEncryption({ Enabled, SSEType, KMSMasterKeyId }: SSESpecification): void {
  if (Enabled === false) {
    if (SSEType) throw invalidParameterError('SSEType can not be specified if Enabled is false')
    if (KMSMasterKeyId) throw invalidParameterError('KMSMasterKeyId can not be specified if Enabled is false')
  }
  if (SSEType === 'AES256') throw invalidParameterError('SSEType AES256 is not supported')
  if (KMSMasterKeyId && !SSEType) throw invalidParameterError('SSEType KMS is required if KMSMasterKeyId is specified')
}

export function checkTags(tags: readonly Partial<Tag>[]): void {
  const keys = new Set<string>()
  for (const { Key, Value } of tags) {
    checkTagKey(Key)
    if (Value === undefined || Value.length > TAG_VALUE_CHARACTERS || !TAG_CHARACTERS.test(Value)) {
      throw validationError(`The Tag Value provided is invalid, Value: ${Value ?? null}`)
    }
    if (keys.has(Key)) {
      throw validationError(`Duplicate Tag Keys provided as input: Duplicate Tag Key found ${Key}`)
    }
    keys.add(Key)
  }
  checkTagCount(tags)
}

export function checkTagKey(key: string | undefined): asserts key is string {
  if (key?.toLowerCase().startsWith('aws:')) throw validationError(`Tag Key cannot be prefixed with aws:, Key: ${key}`)
  if (!key || key.length > TAG_KEY_CHARACTERS || !TAG_CHARACTERS.test(key)) {
    throw validationError(`The Tag Key provided is invalid, Key: ${key ?? null}`)
  }
}

/** Checks all tags of a table together, including the size limit. */
export function checkTagSet(tags: readonly Tag[]): void {
  checkTagCount(tags)
  const bytes = tags.reduce((sum, { Key, Value }) => sum + countUtf8Bytes(Key) + countUtf8Bytes(Value), 0)
  if (bytes > TABLE_TAGS_BYTES) {
    throw validationError(`Tag set size ${bytes} bytes is above max size limit of ${TABLE_TAGS_BYTES} bytes`)
  }
}

export function checkTagCount(tags: readonly unknown[]): void {
  if (tags.length > TABLE_TAGS) {
    throw validationError('Number of Tags exceed the current limit for the provided ResourceArn')
  }
}
