import { invalidParameterError, ServiceError } from '../errors.js'

/** Global tables of before DescribeTable told of replicas: nobody has one any more, nor is one made. */
export const globalTableNotFoundError = (name: string) =>
  globalTableError(`Global table not found: ${globalTableNotFoundMessage(name)}`)
/** The same, as those who ask for its settings are told. */
export const globalTableSettingsNotFoundError = (name: string) => globalTableError(globalTableNotFoundMessage(name))

export const globalTableNotFoundMessage = (name: string) => `Global table with name: '${name}' does not exist.`

const globalTableError = (message: string) => new ServiceError('GlobalTableNotFoundException', message)

export const legacyGlobalTableError = () =>
  invalidParameterError(
    'DynamoDB global tables version 2017.11.29 is not supported. ' +
      'We recommend using DynamoDB global tables version 2019.11.21, instead of version 2017.11.29 (Legacy).',
  )
