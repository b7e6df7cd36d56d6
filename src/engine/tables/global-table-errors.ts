import { invalidParameterError, ServiceError } from '../errors.js'

/**
 * Creates the error for a missing global table of the legacy version. These can no longer be created, so none exists.
 */
export const globalTableNotFoundError = (name: string) =>
  globalTableError(`Global table not found: ${globalTableNotFoundMessage(name)}`)
/** Creates the same error for operations on the settings. */
export const globalTableSettingsNotFoundError = (name: string) => globalTableError(globalTableNotFoundMessage(name))

export const globalTableNotFoundMessage = (name: string) => `Global table with name: '${name}' does not exist.`

const globalTableError = (message: string) => new ServiceError('GlobalTableNotFoundException', message)

export const legacyGlobalTableError = () =>
  invalidParameterError(
    'DynamoDB global tables version 2017.11.29 is not supported. ' +
      'We recommend using DynamoDB global tables version 2019.11.21, instead of version 2017.11.29 (Legacy).',
  )
